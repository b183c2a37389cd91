/** Shares no factor with 2, 3 or 5, so that no number of any size below comes twice before all have come. */
const stride = 4918723070888839665942529n;
const idLength = 16;

/** The place of a count among `size` places: each count has its own, and neighbours lie far apart. */
function spread(count: bigint, size: bigint): bigint {
  return (count * stride) % size;
}

/**
 * Makes identifiers. The same calls give the same identifiers in every run, and an identifier says nothing about
 * its age, so that no client comes to rely on it.
 */
export class IdSequence {
  #count = 0n;

  /** An identifier with the prefix of its type, for example `pi_…`. */
  next<Prefix extends string>(prefix: Prefix): `${Prefix}_${string}` {
    return `${prefix}_${this.text()}`;
  }

  /** Lower-case letters and digits, never the same twice. */
  text(): string {
    return spread(this.#next(), 36n ** BigInt(idLength))
      .toString(36)
      .padStart(idLength, '0');
  }

  /** A number of so many digits, as the form endpoint numbers things. */
  digits(length: number): string {
    const lowest = 10n ** BigInt(length - 1);
    return String(lowest + spread(this.#next(), 9n * lowest));
  }

  #next(): bigint {
    this.#count += 1n;
    return this.#count;
  }
}
