// @ts-check
/** Adjusts typedoc: guides get a group and the name of their first heading, entries their import name, and assistants the guides as Markdown. */

import { cpSync } from 'node:fs';
import { Application, Converter, ParameterType, ReflectionKind, RendererEvent } from 'typedoc';

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.options.addDeclaration({
    name: 'guides',
    help: 'The files of the guides, by the group of the navigation that has them.',
    type: ParameterType.Object,
    defaultValue: {},
  });
  /** @type {() => [group: string, files: string[]][]} */
  const groups = () => Object.entries(app.options.getValue('guides'));
  app.on(Application.EVENT_BOOTSTRAP_END, () => {
    app.options.setValue(
      'projectDocuments',
      groups().flatMap(([, files]) => files),
    );
  });
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    document.frontmatter.category = groups().find(([, files]) => files.includes(`${document.name}.md`))?.[0];
    const [part] = document.content;
    const heading = part?.kind === 'text' ? /^# (.+)(?:\n|$)/.exec(part.text.trimStart())?.[1] : undefined;
    if (heading !== undefined) document.name = heading;
  });
  app.renderer.on(RendererEvent.END, ({ outputDirectory }) => {
    // `llms.txt` links to the guides beside it.
    const isText = (path) => !/\/(?:pictures|api-report)$/.test(path);
    cpSync('docs', outputDirectory, { recursive: true, filter: isText });
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const entry of project.getChildrenByKind(ReflectionKind.Module)) {
      const [name] = entry.name.split('/index');
      const inSandbox = entry.name.includes('sandbox/src');
      const path = (name ?? '').replace(/^(?:sandbox\/)?src\/?|^index$/, '');
      entry.name = [`payments-client${inSandbox ? '-sandbox' : ''}`, ...(path === '' ? [] : [path])].join(
        '/',
      );
    }
  });
}
