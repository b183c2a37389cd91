/**
 * Every regular expression of the SDK runs in linear time. The test attacks every literal in both packages, including new ones: with long
 * runs of each character and word of the pattern, after each possible prefix, and with a suffix that makes it fail.
 *
 * It measures processor time, which other programs do not affect. The system counts it in steps of several milliseconds, so a text is
 * compared with as many runs of a shorter one as have the same length together: both take equally long if time is linear.
 */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { Redactor, redact } from '../../src/base/redact.ts';
import { everyNth, size } from '../support/size.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Found {
  /** The position, such as `src/base/redact.ts:12`. */
  readonly place: string;
  readonly pattern: RegExp;
}

function sourceFiles(): string[] {
  return globSync('{src,sandbox/src}/**/*.ts', { cwd: root }).sort();
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true);
}

/** Returns a node and all nodes below it. */
function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* nodesOf(child);
}

function toPattern(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

function placeOf(file: ts.SourceFile, node: ts.Node): string {
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

const files = sourceFiles().map(parse);

const patterns: readonly Found[] = files.flatMap((file) =>
  [...nodesOf(file)]
    .filter(ts.isRegularExpressionLiteral)
    .map((node) => ({ place: placeOf(file, node), pattern: toPattern(node.text) })),
);

/** Expressions that are built at run time, which this test cannot find. */
const builtPatterns = files.flatMap((file) =>
  [...nodesOf(file)]
    .filter((node) => ts.isNewExpression(node) && node.expression.getText() === 'RegExp')
    .map(() => file.fileName),
);

/** One character of every kind that patterns distinguish. */
const typicalCharacters = [...'aZ0_- \t\n.,:;=&%+/\\"\'<>{}[]()~@#?!', '\u0000', 'é', '\u2028', '\ud83c'];

/** The words and characters of a pattern. */
function namedIn({ source }: RegExp): { words: string[]; characters: string[] } {
  const plain = source.replace(/\\[a-zA-Z]/g, ' ').replace(/\(\?(?:[:=!]|<[=!]|<\w+>)/g, '(');
  const words = [...(plain.match(/[A-Za-z_]{2,}/g) ?? []), ...(plain.match(/[\w<&%:"'-]{2,}/g) ?? [])];
  return { words: [...new Set(words)], characters: [...new Set(plain)] };
}

interface Attack {
  readonly beginning: string;
  /** The repeated text. */
  readonly unit: string;
  readonly end: string;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** Texts that match a prefix, repeat for long, and then fail. */
function attacksOn(pattern: RegExp): Attack[] {
  const { words, characters } = namedIn(pattern);
  const singles = unique([...characters, ...typicalCharacters]);
  const pairs = characters.flatMap((one) =>
    ['a', '0', ' ', '-'].flatMap((other) => [one + other, other + one]),
  );
  const units = unique([...singles, ...pairs, ...words, ...words.map((word) => `${word} `)]);
  const beginnings = unique([
    '',
    ...words,
    ...characters.filter((character) => /[^\w\s]/.test(character)),
    'a',
    '0',
  ]);
  const attacks = units.flatMap((unit) =>
    (size === 'long' ? ['', '\u0000', '!'] : ['\u0000']).map((end) => ({ beginning: '', unit, end })),
  );
  const prefixed = (size === 'long' ? singles : characters).flatMap((unit) =>
    beginnings.map((beginning) => ({ beginning, unit, end: '\u0000' })),
  );
  return [...attacks, ...prefixed];
}

/** In ms: longer than any linear pattern takes, and several steps of the clock. */
const slow = 20;
/** The small sizes are for exponential patterns, which would never finish a larger one. */
const sizes = [16, 20, 24, 28, 800, 20_000, ...(size === 'long' ? [100_000] : [])];

/** Measures the processor time of a function in milliseconds. */
function cost(work: () => void): number {
  // Node 22 measures only the whole process.
  const used = () => (process.threadCpuUsage ?? process.cpuUsage)().user / 1000;
  const start = used();
  work();
  return used() - start;
}

/** Returns how many times longer `long` takes than `short` run `runs` times, in the fastest of three measurements of each. */
function growth(long: () => void, short: () => void, runs: number): number {
  const fastest = (work: () => void) => Math.min(...[1, 2, 3].map(() => cost(work)));
  const shortRuns = () => {
    for (let run = 0; run < runs; run++) short();
  };
  return fastest(long) / Math.max(fastest(shortRuns), slow / 2);
}

/** Tries a pattern at every position of a text. */
function attack(pattern: RegExp, text: string): void {
  text.replace(new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`), '');
}

const textOf = ({ beginning, unit, end }: Attack, size: number) =>
  beginning + unit.repeat(Math.ceil(size / unit.length)) + end;

/** Returns the attack and its size if the pattern takes more than linear time, otherwise `undefined`. */
function weaknessTo(parts: Attack, pattern: RegExp): string | undefined {
  for (const size of sizes) {
    const [text, quarter] = [textOf(parts, size), textOf(parts, size / 4)];
    const whole = () => attack(pattern, text);
    // One run is enough for a fast pattern.
    if (cost(whole) < slow) continue;
    const times = growth(whole, () => attack(pattern, quarter), 4);
    if (times > 2)
      return `${JSON.stringify(parts)} at ${size}: ${times.toFixed(0)} times slower than four quarters of it`;
  }
  return undefined;
}

function weaknessOf(pattern: RegExp): string | undefined {
  for (const parts of attacksOn(pattern)) {
    const weakness = weaknessTo(parts, pattern);
    if (weakness !== undefined) return weakness;
  }
  return undefined;
}

describe('the test itself', () => {
  const slowPatterns: readonly (readonly [what: string, pattern: RegExp])[] = [
    ['backtracks over nested repetition', /^(?:a+)+$/],
    ['backtracks over two alternatives', /^(?:\w|\d)+$/],
    ['backtracks over two adjacent repetitions', /\s*\s*x/],
    ['starts again at each position', /\/+$/],
    ['starts again after each word', /token:.*x$/s],
  ];

  it.each(everyNth(slowPatterns, 5))('detects a pattern that %s', { timeout: 60_000 }, (_what, pattern) => {
    expect(weaknessOf(pattern)).toBeDefined();
  });

  it('finds all patterns of the SDK', () => {
    expect(patterns.length).toBeGreaterThan(80);
    // Of our own constants, the prefixes of ids. In the sandbox, a developer writes some, such as the route of a fault.
    expect(builtPatterns).toEqual(['sandbox/src/api/faults/fault-queue.ts', 'src/resources/fields/ids.ts']);
  });
});

describe('a regular expression', () => {
  it.each(patterns)('at $place runs in linear time', { timeout: 120_000 }, ({ pattern }) => {
    expect(weaknessOf(pattern)).toBeUndefined();
  });
});

/** Runs the redaction of texts and secrets of any size. */
const redactions: Readonly<Record<string, (size: number) => void>> = {
  'a long text with many groups of digits': (size) => void redact('4 1 '.repeat(size / 8)),
  'a long text with many escapes': (size) => void redact('%25'.repeat(size)),
  'a long text with many secrets': (size) => void redact('sk_live_1 4111111111111111 '.repeat(size / 8)),
  'a long secret': (size) =>
    void new Redactor(() => ({ secrets: ['+/=&%'.repeat(size)], values: [] })).text(
      'one two three'.repeat(100),
    ),
  'a repetitive secret': (size) =>
    void new Redactor(() => ({ secrets: ['a'.repeat(size)], values: ['a'] })).text('a'.repeat(400)),
  'many secrets': (size) => {
    const secrets = Array.from({ length: size / 1000 }, (_, index) => `key-${index}-of-many`);
    new Redactor(() => ({ secrets, values: secrets })).text('key 1 of many '.repeat(100));
  },
  'a long id': (size) => void new Redactor().id('4-'.repeat(size)),
};

describe('redaction runs in linear time for', () => {
  it.each(Object.entries(redactions))('%s', { timeout: 60_000 }, (_what, redaction) => {
    const size = 250_000;
    const times = growth(
      () => redaction(size),
      () => redaction(size / 8),
      8,
    );
    // Eight, if time is quadratic.
    expect(times).toBeLessThan(4);
  });
});
