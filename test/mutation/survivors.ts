/** Mutants of changed lines that no test finds, each with the reason why none should. */

import { readFileSync } from 'node:fs';

interface Survivor {
  readonly file: string;
  /** The kind of the mutant, as Stryker names it. */
  readonly mutator: string;
  readonly replacement: string;
  /** The text of the line in which it begins, without the space around it. */
  readonly line: string;
  /** Why no test should find it, such as: it changes nothing that anybody can see. */
  readonly reason: string;
}

interface Survivors {
  /** The commit at which each layer was measured last. Lines that changed since then are mutated for each change. */
  readonly measuredAt: Readonly<Record<string, string>>;
  readonly listed: readonly Survivor[];
}

const { measuredAt, listed }: Survivors = JSON.parse(
  readFileSync(new URL('survivors.json', import.meta.url), 'utf8'),
);

export { measuredAt };

/** A mutant as Stryker reports it. */
interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string | undefined;
  readonly location: { readonly start: { readonly line: number } };
}

/** Returns whether the list has a mutant. The text of its line is compared, since the number of the line moves. */
export function isListed(path: string, { mutatorName, replacement, location }: Mutant): boolean {
  const line = readFileSync(path, 'utf8')
    .split('\n')
    .at(location.start.line - 1)
    ?.trim();
  return listed.some(
    (known) =>
      known.file === path &&
      known.mutator === mutatorName &&
      known.replacement === (replacement ?? '') &&
      known.line === line,
  );
}
