import { execFileSync } from 'node:child_process';

const git = (...args: readonly string[]) =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });

/** Returns the lines of `src/` at a commit, without their indentation. */
function linesAt(commit: string): ReadonlySet<string> {
  // Each line that is not empty.
  const found = git('grep', '--no-color', '-h', '-e', '.', commit, '--', 'src');
  return new Set(found.split('\n').map((line) => line.trim()));
}

/** Returns ranges of consecutive numbers. */
function rangesOf(numbers: readonly number[]): (readonly [first: number, last: number])[] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

/**
 * Returns the lines of `src/` that are new since a commit, as ranges that Stryker takes, such as `src/a.ts:3-5`. A line that only moved to another
 * place or file is as it was measured.
 *
 * @param isMutated Whether a file is mutated at all.
 */
export function changedRanges(since: string, isMutated: (path: string) => boolean): string[] {
  const known = linesAt(since);
  const diff = git('diff', '--unified=0', '--no-prefix', since, '--', 'src');
  return diff.split(/^diff --git /m).flatMap((part) => {
    const [, path = ''] = /^\+\+\+ (src\/.+)$/m.exec(part) ?? [];
    if (!isMutated(path)) return [];
    const added: number[] = [];
    let next = 0;
    for (const line of part.split('\n')) {
      const [, start] = /^@@ -\S+ \+(\d+)/.exec(line) ?? [];
      if (start !== undefined) next = Number(start);
      else if (line.startsWith('+') && next > 0) {
        if (!known.has(line.slice(1).trim())) added.push(next);
        next += 1;
      }
    }
    return rangesOf(added).map(([first, last]) => `${path}:${first}-${last}`);
  });
}
