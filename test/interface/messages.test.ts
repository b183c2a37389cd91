/** Compares each "inferred" and "shown" in the messages of the SDK with the gaps. */

import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The gaps of the messages that say "inferred", by file and the words around it. None says "shown". */
const gapOf: Readonly<Record<string, string>> = {
  "src/http/failure/call-errors.ts: ' (inferred)'": 'G78',
  'src/http/failure/failure.ts: is inferred, not documented': 'G23',
  'src/transact/params.ts: `${form} (inferred; see': 'G82',
};

const isComment = (line: string) => /^\s*(?:\/\*|\*|\/\/)/.test(line);

const mark = /\S* \((?:shown|inferred)[);,](?: \w+|'|)|\bis (?:shown|inferred)\b(?:, \w+ \w+)?/g;

/** Returns the marks in the texts of a file, with the words around each. */
function marksIn(path: string): readonly string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  const marked = lines.filter((line) => /\b(?:shown|inferred)\b/.test(line) && !isComment(line));
  return marked.flatMap((line) => line.match(mark) ?? []).map((words) => `${path}: ${words}`);
}

it('a message says "inferred" for a gap alone, and never "shown"', () => {
  const marks = globSync('src/**/*.{ts,tsx}').flatMap((file) => marksIn(file.replaceAll('\\', '/')));
  expect(marks.sort()).toEqual(Object.keys(gapOf).sort());
});

it('these gaps are inferred', () => {
  const rows = readFileSync('docs/interface-gaps.md', 'utf8').split('\n');
  for (const gap of Object.values(gapOf)) {
    expect(rows.find((row) => row.startsWith(`| ${gap} `))).toContain('_inferred_');
  }
});
