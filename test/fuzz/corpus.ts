/** Inputs that are always tried: real ones, nasty ones, and each that once went wrong. One file holds one, as raw bytes. */

import { readdirSync, readFileSync } from 'node:fs';

/** One input, named by what it shows. */
export interface Entry {
  readonly name: string;
  /** The first part of its name, up to a dot: how it must end, where the names of its folder say so. */
  readonly ending: string;
  readonly bytes: Buffer;
}

/** The inputs that are kept for a parser. */
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
