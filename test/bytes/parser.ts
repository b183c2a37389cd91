/** The contract of every parser: whatever bytes arrive, it ends in one of the ways that its corpus shows. */

import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bySize, everyNth, size } from '../support/size.ts';
import { bytesLike } from './bytes-like.ts';

/** Inputs by what they show: real ones, hostile ones, and each that once failed. */
export type Inputs = Readonly<Record<string, string | Uint8Array>>;

/** What reads bytes that others send. */
export interface Parser {
  readonly name: string;
  /** The promise of the design, section 2, that a defect here would break. */
  readonly promise: string;
  /** Inputs by the ending that they must have. Other inputs may end in the same ways only, and must in each. */
  readonly corpus: Readonly<Record<string, Inputs>>;
  /** The words of the parser's language. */
  readonly vocabulary: readonly string[];
  /** What stands between whole words, if most inputs consist of them. */
  readonly separator?: string;
  /** Inputs that the corpus and the vocabulary rarely lead to. */
  readonly more?: fc.Arbitrary<Buffer>;
  /** How many random inputs CI runs. */
  readonly cases: number;
  /** In the short form, only one of so many inputs of the corpus runs. */
  readonly nth?: number;
  /** Judges the result without code of the parser. Throws if a rule is broken, and returns the kind of ending. */
  readonly judge: (bytes: Buffer) => string | Promise<string>;
}

/** A fixed seed, so that CI finds the same each time. The long form draws a new one each night. */
const seed = Number(process.env['BYTES_SEED'] ?? (size === 'long' ? Date.now() : 20_261_121)) | 0;
/** The path of a failure that is run again. */
const path = process.env['BYTES_PATH'];

const runs = (cases: number) => bySize({ short: Math.ceil(cases / 40), all: cases, long: cases * 15 });

/** Asserts a property of any inputs. A failure has its smallest input, and the line that runs it again. */
export async function assertAlways<T>(
  name: string,
  inputs: fc.Arbitrary<T>,
  cases: number,
  holds: (input: T) => unknown,
  {
    examples = [],
    shown = (input) => inspect(input, { depth: 6 }),
  }: { examples?: readonly T[]; shown?: (input: T) => string } = {},
): Promise<void> {
  const property = fc.asyncProperty(inputs, async (input) => {
    await holds(input);
    expect(Object.keys(Object.prototype), 'the prototype of every object').toEqual([]);
  });
  const again = path === undefined ? {} : { path, endOnFailure: true };
  const details = await fc.check(property, {
    seed,
    numRuns: runs(cases) + examples.length,
    examples: examples.map((input): [T] => [input]),
    ...again,
  });
  if (!details.failed) return;
  const [input] = details.counterexample ?? [];
  const { errorInstance: cause } = details;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const smallest = input === undefined ? 'none' : shown(input);
  const variables = `TEST_SIZE=${size} BYTES_SEED=${details.seed} BYTES_PATH=${details.counterexamplePath}`;
  const replay = `${variables} npx vitest run test/bytes -t ${JSON.stringify(name)}`;
  throw new Error(`${reason}\nsmallest input: ${smallest}\nto replay: ${replay}`, { cause });
}

/** Bytes as a text, and exactly. */
const shownBytes = (bytes: Buffer) =>
  `${JSON.stringify(bytes.toString('utf8').slice(0, 1000))}\nin base64: ${bytes.toString('base64').slice(0, 4000)}`;

const keyOf = (bytes: Buffer) => bytes.toString('latin1');

/** Every input of a corpus, with its ending. */
export const entriesOf = (corpus: Parser['corpus']) =>
  Object.entries(corpus).flatMap(([ending, inputs]) =>
    Object.values(inputs).map((content) => ({ ending, bytes: Buffer.from(content) })),
  );

async function run({ name, corpus, vocabulary, separator, more, cases, nth = 1, judge }: Parser) {
  const entries = entriesOf(corpus);
  const required = new Map(entries.map(({ ending, bytes }) => [keyOf(bytes), ending]));
  const examples = everyNth(entries, nth, name.length).map(({ bytes }) => bytes);
  const endings = Object.keys(corpus);
  const seen = new Map<string, number>();
  const like = bytesLike({ corpus: entries.map(({ bytes }) => bytes), vocabulary, separator });
  const inputs = more === undefined ? like : fc.oneof(like, more);
  const holds = async (bytes: Buffer) => {
    const ending = await judge(bytes);
    expect([required.get(keyOf(bytes)) ?? endings].flat(), 'the ways in which it may end').toContain(ending);
    seen.set(ending, (seen.get(ending) ?? 0) + 1);
  };
  await assertAlways(name, inputs, cases, holds, { examples, shown: shownBytes });
  // A parser that always ends in the same way would prove nothing.
  if (path !== undefined || size === 'short') return;
  const rare = Object.entries(corpus).filter(
    ([ending, inputs]) => (seen.get(ending) ?? 0) <= Object.keys(inputs).length,
  );
  expect(rare, 'endings that no random input had').toEqual([]);
}

/** Runs a parser on every input of its corpus, and on random ones. */
export function testParsers(parsers: readonly Parser[]): void {
  describe.each(parsers)('$name', (parser) => {
    it(`of any bytes keeps the promise that ${parser.promise}`, () => run(parser));
  });
}
