/** Ends a claim in the store. Returns whether the claim was held. */
type End = () => Promise<boolean>;

/** The greatest number of keys that are remembered. Beyond it the oldest is left to its lease. */
const maxKeys = 10_000;

/**
 * Claims with which nothing was sent, and which the store has not ended. Without them, an operation would look as if it had been
 * sent until its lease expires, and a sale even after that.
 */
export class UnendedClaims {
  readonly #ends = new Map<string, Set<End>>();

  /** Ends a claim. Never rejects: if that fails, `end` does it later. */
  async add(key: string, end: End): Promise<void> {
    const ends = this.#ends.get(key) ?? new Set();
    this.#ends.set(key, ends.add(end));
    const [oldest] = this.#ends.keys();
    if (this.#ends.size > maxKeys && oldest !== undefined) this.#ends.delete(oldest);
    // One that the store does not hold may be granted yet.
    if (await end().catch(() => false)) this.#forget(key, end);
  }

  /** Ends the claims of a key. Throws what the store throws. */
  async end(key: string): Promise<void> {
    for (const end of this.#ends.get(key) ?? []) {
      await end();
      this.#forget(key, end);
    }
  }

  #forget(key: string, end: End): void {
    const ends = this.#ends.get(key);
    ends?.delete(end);
    if (ends?.size === 0) this.#ends.delete(key);
  }
}
