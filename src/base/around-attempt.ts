/**
 * The key of a hook that runs the sending of each attempt, so that a span can be active meanwhile. Internal: only `openTelemetry()` sets it.
 * The ES modules and the CommonJS build share it.
 */
export const aroundAttempt: unique symbol = Symbol.for('payments-client/around-attempt');

/** Calls `send` at once. Its own result or error does not affect the attempt. */
export type AroundAttempt = (callId: string, send: () => unknown) => unknown;
