import { Random } from './random.ts';

/** Coprime to 2, 3 and 5, so that the sequence repeats only after all numbers below its size. */
const stride = 4918723070888839665942529n;
const idLength = 16;
const idSize = 36n ** BigInt(idLength);

/** All pairs of base-36 digits. */
const pairs: readonly string[] = Array.from({ length: 36 * 36 }, (_, value) =>
  value.toString(36).padStart(2, '0'),
);

/** BigInt is slow, so a place is four parts of four digits, lowest first. */
const partSize = 36 ** 4;

type Parts = readonly [number, number, number, number];

/** Maps a count to a place among `size` places: a permutation in which neighbours are far apart. */
function spread(count: bigint, size: bigint): bigint {
  return (count * stride) % size;
}

function toParts(place: bigint): Parts {
  const size = BigInt(partSize);
  const part = (index: bigint): number => Number((place / size ** index) % size);
  return [part(0n), part(1n), part(2n), part(3n)];
}

const step = toParts(stride % idSize);

/** Returns the place of the next count: the last place plus the stride. */
function nextPlace([one, two, three, four]: Parts): Parts {
  const first = one + step[0];
  const second = two + step[1] + (first >= partSize ? 1 : 0);
  const third = three + step[2] + (second >= partSize ? 1 : 0);
  const fourth = four + step[3] + (third >= partSize ? 1 : 0);
  return [first % partSize, second % partSize, third % partSize, fourth % partSize];
}

function format(part: number): string {
  return `${pairs[Math.floor(part / pairs.length)]}${pairs[part % pairs.length]}`;
}

/** Leaves room for more identifiers than a program generates. */
const maxStart = 2 ** 48;

/** Returns how many identifiers to skip: the same number for the same seed, else a random one. */
export function startOfIds(seed: string | number | undefined): number {
  const fraction = seed === undefined ? Math.random() : new Random(`${seed} ids`).fraction();
  return Math.floor(fraction * maxStart);
}

/**
 * Generates identifiers. The same calls generate the same identifiers in every run. An identifier does not reveal its
 * age, so that no client relies on it.
 */
export class IdSequence {
  #count = 0;
  #place: Parts = [0, 0, 0, 0];

  get count(): number {
    return this.#count;
  }

  /** Continues after this number of identifiers. */
  resume(count: number): void {
    this.#count = count;
    this.#place = toParts(spread(BigInt(count), idSize));
  }

  /** Returns an identifier with the prefix of its type, for example `pi_…`. */
  next<Prefix extends string>(prefix: Prefix): `${Prefix}_${string}` {
    return `${prefix}_${this.text()}`;
  }

  /** Returns unique lower-case letters and digits. */
  text(): string {
    this.#step();
    const [one, two, three, four] = this.#place;
    return format(four) + format(three) + format(two) + format(one);
  }

  /** Returns a number with this many digits, as the form endpoint has them. */
  digits(length: number): string {
    this.#step();
    const lowest = 10n ** BigInt(length - 1);
    return String(lowest + spread(BigInt(this.#count), 9n * lowest));
  }

  #step(): void {
    this.#count += 1;
    this.#place = nextPlace(this.#place);
  }
}
