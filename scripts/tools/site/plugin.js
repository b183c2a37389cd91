// @ts-check
/** Adjusts typedoc: guides get a group and the name of their first heading, entries their import name, and assistants the guides as Markdown. */

import { cpSync } from 'node:fs';
import { Application, Converter, IndexEvent, ParameterType, ReflectionKind, RendererEvent } from 'typedoc';

/** How much more a guide weighs in the search than a name. */
const guideBoost = 10;

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
    const isHere = ([, files]) => files.includes(`${document.name}.md`);
    document.frontmatter.category = groups().find(isHere)?.[0];
    const [part] = document.content;
    const heading = part?.kind === 'text' ? /^# (.+)(?:\n|$)/.exec(part.text.trimStart())?.[1] : undefined;
    if (heading !== undefined) document.name = heading;
    // Otherwise the fields of a name would fill the list of search results.
    document.relevanceBoost = guideBoost;
  });
  app.renderer.on(IndexEvent.PREPARE_INDEX, (event) => {
    // A search finds an inherited member at its declaration.
    const isOwn = (found) => !('inheritedFrom' in found) || found.inheritedFrom === undefined;
    event.searchResults.splice(0, Number.POSITIVE_INFINITY, ...event.searchResults.filter(isOwn));
  });
  app.renderer.on(RendererEvent.END, ({ outputDirectory }) => {
    // `llms.txt` links to the guides beside it.
    const isText = (path) => !/\/(?:pictures|api-report)$/.test(path);
    cpSync('docs', outputDirectory, { recursive: true, filter: isText });
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const entry of project.getChildrenByKind(ReflectionKind.Module)) {
      entry.name = entry.name === 'index' ? project.name : `${project.name}/${entry.name}`;
    }
  });
}
