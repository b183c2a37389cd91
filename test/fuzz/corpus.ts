/** Inputs that every run uses: real ones, hostile ones, and each that once failed. A table has the short ones; a folder has one file for each longer one. */

import { readdirSync, readFileSync } from 'node:fs';
import { errorBodies } from './corpus/error-bodies.ts';
import { formResponses } from './corpus/form-responses.ts';
import { pages } from './corpus/pages.ts';
import { requestBodies } from './corpus/request-bodies.ts';
import { requestForms } from './corpus/request-forms.ts';
import { retryAfter } from './corpus/retry-after.ts';
import { texts } from './corpus/texts.ts';

/** One input, named by its purpose. */
export interface Entry {
  readonly name: string;
  /** The first part of its name, up to a dot: the required ending, if the parser's names contain it. */
  readonly ending: string;
  readonly bytes: Buffer;
}

const tables: Readonly<Record<string, Readonly<Record<string, string | Uint8Array>>>> = {
  'error-bodies': errorBodies,
  'form-responses': formResponses,
  pages,
  'request-bodies': requestBodies,
  'request-forms': requestForms,
  'retry-after': retryAfter,
  texts,
};

function filesOf(parser: string): Readonly<Record<string, string | Uint8Array>> {
  const folder = new URL(`corpus/${parser}/`, import.meta.url);
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, folder))]));
}

/** Returns the inputs for a parser. */
export function corpusOf(parser: string): readonly Entry[] {
  return Object.entries(tables[parser] ?? filesOf(parser)).map(([name, content]) => ({
    name,
    ending: name.replace(/\..*/, ''),
    bytes: Buffer.from(content),
  }));
}
