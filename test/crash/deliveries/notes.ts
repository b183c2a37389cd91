/** What a process notes of its deliveries. */

import type { DeliveryReport } from 'payments-client/webhooks';

/** A handler started or ended. */
interface Ran {
  readonly what: 'began' | 'ended';
  readonly name: string;
  readonly at: number;
}

/** `onDelivery` was called. */
export interface Reported {
  readonly what: 'reported';
  /** The name of the event; `undefined` if there is none. */
  readonly name: string | undefined;
  readonly at: number;
  readonly outcome: DeliveryReport['outcome'];
  readonly status: number | undefined;
  readonly attempt: number | undefined;
  readonly verified: boolean;
  readonly issues: number;
}

export type Note = Ran | Reported;
