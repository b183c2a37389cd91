/**
 * The key of a hook that runs the sending of each attempt, so that a span can be active meanwhile. Internal: only `openTelemetry()` sets it.
 * The ES modules and the CommonJS build share it.
 */
export const aroundAttempt: unique symbol = Symbol.for('payments-client/around-attempt');

/** Calls `send` at once. What it returns or throws changes nothing of the attempt. */
export type AroundAttempt = (callId: string, send: () => unknown) => unknown;
