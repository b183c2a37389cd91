/**
 * Runs a parser on every input of its corpus, on mutants of them, and on inputs made from its vocabulary.
 *
 * Deterministic. Set FUZZ_SEED to use another seed, and TEST_SIZE=long to run many more cases.
 */

import { drawsOf, pick } from '../support/draws.ts';
import { bySize } from '../support/size.ts';
import { corpusOf, type Entry } from './corpus.ts';
import { mutantOf, sentenceOf } from './mutants.ts';

export const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121) >>> 0;

/** Returns the number of cases, from the number that CI runs. */
export const cases = (all: number) => bySize({ short: Math.ceil(all / 8), all, long: all * 15 });

/** The options of fast-check: a fixed seed, which it prints with a failure. */
export const property = (all: number) => ({ seed, numRuns: cases(all) });

/** A parser and its inputs. */
export interface Campaign {
  /** The table or the folder of the corpus. */
  readonly parser: string;
  /** The vocabulary of the parser's language. */
  readonly vocabulary: readonly string[];
  /** How many mutants and sentences CI runs. */
  readonly caseCount: number;
  /** Throws if a rule is violated. Returns the kind of ending; several kinds must occur. */
  readonly check: (bytes: Buffer, entry?: Entry) => string | Promise<string>;
}

/** Counts endings by kind. */
export type Tally = ReadonlyMap<string, number>;

/** Describes a failure with everything needed to reproduce it. */
function describeFailure(parser: string, origin: string, bytes: Buffer, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const shown = bytes.length <= 4000 ? bytes.toString('base64') : `${bytes.toString('base64', 0, 3000)}…`;
  const keep = `to keep it, add it to test/fuzz/corpus/${parser}`;
  return new Error(
    `FUZZ_SEED=${seed}, ${origin}: ${reason}\ninput: ${JSON.stringify(bytes.toString('utf8').slice(0, 1000))}\nin base64 (${keep}): ${shown}`,
    { cause },
  );
}

/** Runs a campaign, and returns the endings. */
export async function runCampaign({
  parser,
  vocabulary: words,
  caseCount: tries,
  check,
}: Campaign): Promise<Tally> {
  const corpus = corpusOf(parser);
  const originals = corpus.map(({ bytes }) => bytes);
  const language = words.map((word) => Buffer.from(word));
  const tally = new Map<string, number>();
  const attempt = async (origin: string, bytes: Buffer, entry?: Entry) => {
    try {
      const ending = await check(bytes, entry);
      tally.set(ending, (tally.get(ending) ?? 0) + 1);
    } catch (error) {
      throw describeFailure(parser, origin, bytes, error);
    }
    if (Object.keys(Object.prototype).length > 0) {
      throw describeFailure(parser, origin, bytes, new Error('it polluted the prototype of every object'));
    }
  };
  for (const entry of corpus) await attempt(`corpus ${entry.name}`, entry.bytes, entry);
  for (let number = 0; number < cases(tries); number += 1) {
    const draw = drawsOf(seed, number);
    const bytes =
      draw(4) === 0 ? sentenceOf(draw, language) : mutantOf(draw, pick(draw, originals), language, originals);
    await attempt(`case ${number}`, bytes);
  }
  return tally;
}
