/** Mutants of changed lines that no test finds, each with the reason why none should. */

import { readFileSync } from 'node:fs';

interface Survivor {
  readonly file: string;
  /** The kind of the mutant, as Stryker names it. */
  readonly mutator: string;
  readonly replacement: string;
  /** Why no test should find it, such as: it changes nothing that anybody can see. */
  readonly reason: string;
}

interface Survivors {
  /** The commit at which all layers were measured last. Lines that changed since then are mutated for each change. */
  readonly measuredAt: string;
  readonly listed: readonly Survivor[];
}

const { measuredAt, listed }: Survivors = JSON.parse(
  readFileSync(new URL('survivors.json', import.meta.url), 'utf8'),
);

export { measuredAt };

/** Returns whether the list has a mutant. Lines are not compared, since they move. */
export function isListed(
  path: string,
  { mutatorName, replacement }: { readonly mutatorName: string; readonly replacement?: string | undefined },
): boolean {
  return listed.some(
    ({ file, mutator, replacement: known }) =>
      file === path && mutator === mutatorName && known === (replacement ?? ''),
  );
}
