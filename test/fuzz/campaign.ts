/**
 * Tries a parser with every input of its corpus, with mutants of them, and with inputs made from its words.
 *
 * Everything follows from one seed. Set FUZZ_SEED to try others, and TEST_SIZE=long to try many more.
 */

import { drawsOf, pick } from '../support/draws.ts';
import { bySize } from '../support/size.ts';
import { corpusOf, type Entry } from './corpus.ts';
import { mutantOf, sentenceOf } from './mutants.ts';

export const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121) >>> 0;

/** Far more than anything here takes; it only ends a run that hangs. */
export const patience = 600_000;

/** How many cases are tried, by how many CI tries. */
export const cases = (all: number) => bySize({ short: Math.ceil(all / 8), all, long: all * 15 });

/** How fast-check is to run: from the same seed, which it prints with what failed. */
export const property = (all: number) => ({ seed, numRuns: cases(all) });

/** What is tried with what. */
export interface Campaign {
  /** The folder of the corpus. */
  readonly parser: string;
  /** Words of the parser's language. */
  readonly words: readonly string[];
  /** How many mutants and sentences CI tries. */
  readonly tries: number;
  /** Throws where a rule does not hold. Returns the kind of ending, of which there must be several. */
  readonly check: (bytes: Buffer, entry?: Entry) => string | Promise<string>;
}

/** How often each kind of ending came. */
export type Tally = ReadonlyMap<string, number>;

/** What went wrong, with all that is needed to make it again. */
function complaint(parser: string, origin: string, bytes: Buffer, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const shown = bytes.length <= 4000 ? bytes.toString('base64') : `${bytes.toString('base64', 0, 3000)}…`;
  const keep = `base64 -d > test/fuzz/corpus/${parser}/<what-it-shows> keeps it`;
  return new Error(
    `FUZZ_SEED=${seed}, ${origin}: ${reason}\ninput: ${JSON.stringify(bytes.toString('utf8').slice(0, 1000))}\nin base64 (${keep}): ${shown}`,
    { cause },
  );
}

/** Runs a campaign, and tells how its cases ended. */
export async function attack({ parser, words, tries, check }: Campaign): Promise<Tally> {
  const corpus = corpusOf(parser);
  const originals = corpus.map(({ bytes }) => bytes);
  const language = words.map((word) => Buffer.from(word));
  const tally = new Map<string, number>();
  const attempt = async (origin: string, bytes: Buffer, entry?: Entry) => {
    try {
      const ending = await check(bytes, entry);
      tally.set(ending, (tally.get(ending) ?? 0) + 1);
    } catch (error) {
      throw complaint(parser, origin, bytes, error);
    }
    if (Object.keys(Object.prototype).length > 0) {
      throw complaint(parser, origin, bytes, new Error('it put a field into every object'));
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
