import { execFileSync } from 'node:child_process';

/**
 * Returns the lines of `src/` that changed since a commit, as ranges that Stryker takes, such as `src/a.ts:3-5`.
 *
 * @param isMutated Whether a file is mutated at all.
 */
export function changedRanges(since: string, isMutated: (path: string) => boolean): string[] {
  const diff = execFileSync('git', ['diff', '--unified=0', '--no-prefix', since, '--', 'src'], {
    encoding: 'utf8',
  });
  return diff.split(/^diff --git /m).flatMap((part) => {
    const [, path = ''] = /^\+\+\+ (src\/.+)$/m.exec(part) ?? [];
    if (!isMutated(path)) return [];
    return [...part.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].flatMap(([, start, count = '1']) =>
      // Only lines that are there can be mutated.
      count === '0' ? [] : [`${path}:${start}-${Number(start) + Number(count) - 1}`],
    );
  });
}
