import type { HttpMethod } from '../request/route.ts';
import type { CallEvent } from './hooks.ts';

/**
 * A call that was checked, and that nothing has been recorded or sent of. It is a frozen copy: what is sent does not depend on it. It holds no
 * key and no card number, but your own ids.
 */
export interface CallToCheck extends CallEvent {
  /** The HTTP verb. */
  readonly method: HttpMethod;
  /** The path after the base URL, without its query. */
  readonly path: string;
  /** Whether the call may move money. True for `payments.request` with a verb that writes, unless it says otherwise. */
  readonly movesMoney: boolean;
  /**
   * The `operationId` of the call, or its `idempotencyKey`, exactly as you passed it: a repeat of the operation has the same one. `undefined` if
   * the call has neither.
   */
  readonly operationId: string | undefined;
  /**
   * What names the operation among all of its `operation` and your account: the idempotency key, or what it would be in a form. Count by it: two shops with an
   * `operationScope` each may have the same `operationId`. `undefined` if the call has no name.
   */
  readonly operationKey: string | undefined;
  /**
   * What is sent: the fields of the query, and those of the body, which win. Amounts have the unit of the method: a number of minor units in the
   * JSON API, a text such as `'12.00'` in a form. Other texts show no secret, no card and no `email`, `phone` or address, as in messages, and are
   * cut after 8,192 characters.
   */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Decides whether a call may be sent. It returns nothing, at once or later, or throws to refuse the call. */
export type BeforeCall = (call: CallToCheck) => void | Promise<void>;
