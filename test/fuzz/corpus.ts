/** Inputs that every run uses: real ones, hostile ones, and each that once failed. One file contains one input, as raw bytes. */

import { readdirSync, readFileSync } from 'node:fs';

/** One input, named by its purpose. */
export interface Entry {
  readonly name: string;
  /** The first part of its name, up to a dot: the required ending, if the folder's names contain it. */
  readonly ending: string;
  readonly bytes: Buffer;
}

/** Returns the inputs for a parser. */
export function corpusOf(parser: string): readonly Entry[] {
  const folder = new URL(`corpus/${parser}/`, import.meta.url);
  return readdirSync(folder)
    .sort()
    .map((name) => ({
      name,
      ending: name.replace(/\..*/, ''),
      bytes: readFileSync(new URL(name, folder)),
    }));
}
