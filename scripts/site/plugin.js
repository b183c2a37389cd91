// @ts-check
/** What the site needs beside typedoc: guides are called by their first heading, and entries by what is imported. */

import { Converter, ReflectionKind } from 'typedoc';

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    const [part] = document.content;
    const heading = part?.kind === 'text' ? /^# (.+)(?:\n|$)/.exec(part.text.trimStart())?.[1] : undefined;
    if (heading !== undefined) document.name = heading;
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const entry of project.getChildrenByKind(ReflectionKind.Module)) {
      entry.name = entry.name === 'index' ? project.name : `${project.name}/${entry.name}`;
    }
  });
}
