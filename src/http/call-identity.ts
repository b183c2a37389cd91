/** What tells one call from all others. */
export class CallIdentity {
  /** The method that was called, as it may be shown. */
  readonly operation: string;
  /** When the call began, by `performance.now()`. */
  readonly startedAt = performance.now();
  #callId: string | undefined;

  constructor(operation: string) {
    this.operation = operation;
  }

  /** Drawn when it is first asked for, since most calls go well and are watched by nobody. */
  get callId(): string {
    this.#callId ??= crypto.randomUUID();
    return this.#callId;
  }
}
