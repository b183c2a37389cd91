/** Shares no factor with 2, 3 or 5, so that no number of any size below comes twice before all have come. */
const stride = 4918723070888839665942529n;
const idLength = 16;
const idSize = 36n ** BigInt(idLength);

/** Two digits of base 36 each. */
const pairs: readonly string[] = Array.from({ length: 36 * 36 }, (_, value) =>
  value.toString(36).padStart(2, '0'),
);

/** Big numbers are slow, so a place is four parts of four digits, the lowest first. */
const partSize = 36 ** 4;

type Parts = readonly [number, number, number, number];

/** The place of a count among `size` places: each count has its own, and neighbours lie far apart. */
function spread(count: bigint, size: bigint): bigint {
  return (count * stride) % size;
}

function toParts(place: bigint): Parts {
  const size = BigInt(partSize);
  const part = (index: bigint): number => Number((place / size ** index) % size);
  return [part(0n), part(1n), part(2n), part(3n)];
}

const step = toParts(stride % idSize);

/** The place of the next count: that of the last, and the stride. */
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

/**
 * Makes identifiers. The same calls give the same identifiers in every run, and an identifier says nothing about
 * its age, so that no client comes to rely on it.
 */
export class IdSequence {
  #count = 0;
  #place: Parts = [0, 0, 0, 0];

  /** How many were made. */
  get count(): number {
    return this.#count;
  }

  /** Goes on after so many. */
  resume(count: number): void {
    this.#count = count;
    this.#place = toParts(spread(BigInt(count), idSize));
  }

  /** An identifier with the prefix of its type, for example `pi_…`. */
  next<Prefix extends string>(prefix: Prefix): `${Prefix}_${string}` {
    return `${prefix}_${this.text()}`;
  }

  /** Lower-case letters and digits, never the same twice. */
  text(): string {
    this.#step();
    const [one, two, three, four] = this.#place;
    return format(four) + format(three) + format(two) + format(one);
  }

  /** A number of so many digits, as the form endpoint numbers things. */
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
