/** The test sales that the probe may make: of a card that exists only for tests, and voided. */

import type { FormEncoding } from '../../base/interface-types.ts';
import type { HoldsKey } from '../keys.ts';
import { type Answer, isPlain, type Reading, type TestTransaction } from '../question.ts';
import { resultOf } from './form.ts';

/** What a sale is written as. */
export type Written = Omit<Extract<TestTransaction['transaction'], { type: 'sale' }>, 'type' | 'orderid'>;

/** A sale, and its answer. */
export interface TestSale {
  readonly written: Written;
  /** The id by which the service may name it, which no other sale has. */
  readonly orderid: string;
  /** The id of the transaction; empty if the answer has none. */
  readonly id: string;
  /** The fields of a readable answer. */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether it was approved; `undefined` without a readable answer. */
  readonly approved: boolean | undefined;
}

/** Returns whether the endpoint approves the test card, without an amount. A live one declines it, since no such card exists. */
export function* approvesTestCard(encoding: FormEncoding): Reading<boolean> {
  const answer = yield { kind: 'transaction', encoding, transaction: { type: 'validate' } };
  return resultOf(answer)?.approved === true;
}

/** Makes a sale. */
export function* sell(encoding: FormEncoding, written: Written): Reading<TestSale> {
  const orderid = `payments-client-probe-${crypto.randomUUID()}`;
  const answer = yield { kind: 'transaction', encoding, transaction: { type: 'sale', ...written, orderid } };
  const result = resultOf(answer);
  return {
    written,
    orderid,
    id: result?.transactionid ?? '',
    fields: result?.fields ?? {},
    approved: result?.approved,
  };
}

/** Voids a sale. */
export function voidOf(encoding: FormEncoding, transactionid: string): TestTransaction {
  return { kind: 'transaction', encoding, transaction: { type: 'void', transactionid } };
}

/** Returns the id of an approved sale, if it can be sent and shown. */
export function soldId(answer: Answer, holdsKey: HoldsKey): string | undefined {
  const id = resultOf(answer)?.transactionid ?? '';
  return isPlain(id) && !holdsKey(id) ? id : undefined;
}
