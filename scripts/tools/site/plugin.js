// @ts-check
/** Adjusts typedoc: guides get the name of their first heading, entries their import name, and assistants the guides as Markdown. */

import { cpSync } from 'node:fs';
import { Converter, IndexEvent, ReflectionKind, RendererEvent } from 'typedoc';

/** How much more a guide weighs in the search than a name. */
const guideBoost = 10;

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
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
