/** How many tenths of a retry an answered call gives back: so in the long run at most one call in ten is retried. */
const tenthsPerAnswer = 1;
const tenthsPerRetry = 10;

/**
 * The retries that a client may still make. Only answers of the service refill it, never time: in an outage it runs empty, and then each call is
 * one request.
 */
export class RetryBudget {
  readonly #capacity: number;
  /** In tenths of a retry, since sums of 0.1 are not exact. */
  #tenths: number;

  /** @param retries When it is full, as it is at the start. */
  constructor(retries: number) {
    this.#capacity = retries * tenthsPerRetry;
    this.#tenths = this.#capacity;
  }

  /** How many retries are left. */
  get left(): number {
    return Math.floor(this.#tenths / tenthsPerRetry);
  }

  /** Takes a retry. Returns whether there was one. */
  spend(): boolean {
    if (this.left === 0) return false;
    this.#tenths -= tenthsPerRetry;
    return true;
  }

  /** Gives back a retry that was not made. */
  giveBack(): void {
    this.#tenths += tenthsPerRetry;
  }

  /** Gives back a part of a retry, since the service answered a call. */
  refill(): void {
    this.#tenths = Math.min(this.#capacity, this.#tenths + tenthsPerAnswer);
  }
}
