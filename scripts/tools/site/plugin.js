// @ts-check
/** Adjusts typedoc: guides get a group and the name of their first heading, entries their import name, and assistants the guides as Markdown. */

import { cpSync } from 'node:fs';
import { Application, Converter, IndexEvent, ParameterType, ReflectionKind, RendererEvent } from 'typedoc';

/** How much a guide, a file such as CHANGELOG.md, and a member of a type weigh in the search beside an export. */
const guideBoost = 40;
const fileBoost = 5;
const memberBoost = 0.3;

/**
 * Returns what the search reads of a guide. A field that only guides have would weigh little, since its average length is
 * nearly 0: so the keywords are part of the name, and the first paragraph and the headings stand for the comment.
 * @param {import('typedoc').DocumentReflection} document
 */
function fieldsOf({ name, content, frontmatter }) {
  const text = content.map((part) => part.text).join('');
  const [, summary = ''] = /^(?:# .*\n)?\s*([^\n`<|#][\s\S]*?)\n\n/.exec(text.trimStart()) ?? [];
  const headings = text.match(/^##+ .+$/gm) ?? [];
  // A path is a rare word that holds common ones, so it would outweigh them.
  const document = text.replaceAll(/\S*\/\S*/g, ' ');
  return {
    name: `${name} ${frontmatter.keywords ?? ''}`,
    comment: [summary, ...headings].join(' '),
    document,
  };
}

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.options.addDeclaration({
    name: 'guides',
    help: 'The files of the guides, by the group of the navigation that has them.',
    type: ParameterType.Object,
    defaultValue: {},
  });
  app.options.addDeclaration({
    name: 'keywords',
    help: 'Words by which readers search for a guide, and which its first paragraph and its headings lack.',
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
    document.frontmatter.keywords = app.options.getValue('keywords')[`${document.name}.md`];
    const isGuide = document.name.startsWith('docs/');
    const [part] = document.content;
    const heading = part?.kind === 'text' ? /^# (.+)(?:\n|$)/.exec(part.text.trimStart())?.[1] : undefined;
    if (heading !== undefined) document.name = heading;
    // Otherwise the fields of a name would fill the list of search results.
    document.relevanceBoost = isGuide ? guideBoost : fileBoost;
  });
  app.renderer.on(IndexEvent.PREPARE_INDEX, (event) => {
    // A search finds an inherited member at its declaration.
    const isOwn = (found) => !('inheritedFrom' in found) || found.inheritedFrom === undefined;
    event.searchResults.splice(0, Number.POSITIVE_INFINITY, ...event.searchResults.filter(isOwn));
    event.searchFields = event.searchResults.map((found) => (found.isDocument() ? fieldsOf(found) : {}));
    Object.assign(event.searchFieldWeights, { name: 10, comment: 4, document: 2 });
    for (const found of event.searchResults) {
      if (!found.isDocument() && found.parent?.kind !== ReflectionKind.Module)
        found.relevanceBoost = memberBoost;
    }
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
