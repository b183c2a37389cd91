/** The forms of a call, and what may be done with each: a promise of a call holds for all of them. */

import type { ApiPromise, Outcome, PaymentsClient, RequestOptions } from 'payments-client';
import { expect } from 'vitest';
import { customer, product, refund, refundParams, saleParams } from '../support/fixtures.ts';

/** A word that each call sends. A response that repeats it may be an echo. */
export const sentWord = 'requested_by_customer';

export interface Form {
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** A valid body of its 2xx response. */
  readonly result: object;
  /** The key that it sends, or a matcher of it. */
  readonly idempotencyKey?: string;
  readonly movesMoney: boolean;
  /** Whether its retries cannot act twice. */
  readonly isRepeatable: boolean;
  /** Whether a second call acts again. */
  readonly actsAgain: boolean;
  /** The outcome if nothing was sent. */
  readonly unsent: Outcome;
  /** The outcome if it is unknown whether the service got it. */
  readonly unanswered: Outcome;
  /** What a 2xx proves whose body cannot be used. */
  readonly accepted: Outcome;
  readonly call: (payments: PaymentsClient, options?: RequestOptions) => ApiPromise<unknown>;
}

const operationId = 'order-1';
const none = 'not_an_operation';
const read = {
  method: 'GET',
  movesMoney: false,
  isRepeatable: true,
  actsAgain: false,
  unsent: none,
  unanswered: none,
  accepted: none,
} as const;
const write = {
  method: 'POST',
  movesMoney: true,
  unsent: 'not_executed',
  unanswered: 'unknown',
  accepted: 'executed',
} as const;

const table = {
  'a read': {
    ...read,
    operation: 'refunds.retrieve',
    path: `/v1/refunds/${sentWord}`,
    result: refund,
    call: (p, options) => p.refunds.retrieve(sentWord, options),
  },
  'a list': {
    ...read,
    operation: 'products.list',
    path: '/v1/products',
    result: { data: [product('prod_1')], has_more: false },
    call: (p, options) => p.products.list({ starting_after: sentWord }, options),
  },
  'a POST with a key': {
    ...write,
    operation: 'refunds.create',
    path: '/v1/refunds',
    result: refund,
    idempotencyKey: 'pc1:refunds.create:order-1',
    isRepeatable: true,
    actsAgain: false,
    call: (p, options) =>
      p.refunds.create({ ...refundParams, reason: sentWord }, { operationId, ...options }),
  },
  'a POST without a name': {
    ...write,
    operation: 'customers.create',
    path: '/v1/customers',
    result: customer,
    idempotencyKey: expect.stringMatching(/^pc1r:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/),
    movesMoney: false,
    isRepeatable: true,
    actsAgain: true,
    call: (p, options) => p.customers.create({ first_name: sentWord }, options),
  },
  'a DELETE': {
    ...write,
    operation: 'customers.delete',
    method: 'DELETE',
    path: `/v1/customers/${sentWord}`,
    result: { id: 'cus_1', deleted: true },
    movesMoney: false,
    isRepeatable: true,
    actsAgain: false,
    call: (p, options) => p.customers.delete(sentWord, options),
  },
  'a raw POST with a key': {
    ...write,
    operation: 'POST /v1/payouts',
    path: '/v1/payouts',
    result: { id: 'po_1' },
    idempotencyKey: 'pc1:POST~0020~002fv1~002fpayouts:order-1',
    isRepeatable: true,
    actsAgain: false,
    call: (p, options) =>
      p.request(
        { method: 'POST', path: '/v1/payouts', body: { note: sentWord } },
        { operationId, ...options },
      ),
  },
  'a raw PATCH with a key': {
    ...write,
    operation: 'PATCH /v1/payouts/po_1',
    method: 'PATCH',
    path: '/v1/payouts/po_1',
    result: { id: 'po_1' },
    idempotencyKey: 'pc1:PATCH~0020~002fv1~002fpayouts~002fpo_1:order-1',
    isRepeatable: false,
    actsAgain: true,
    call: (p, options) =>
      p.request(
        { method: 'PATCH', path: '/v1/payouts/po_1', body: { note: sentWord } },
        { operationId, ...options },
      ),
  },
  'a sale': {
    ...write,
    operation: 'transact.sale',
    path: '/api/transact.php',
    result: { response: 1, transactionid: '7' },
    isRepeatable: false,
    actsAgain: true,
    accepted: 'unknown',
    call: (p, options) => p.transact.sale({ ...saleParams, orderid: sentWord }, options),
  },
} satisfies Readonly<Record<string, Form>>;

/** The forms by their names. */
export const forms: Readonly<Record<keyof typeof table, Form>> = table;

/** The forms with their names, for `it.each`. */
export const everyForm: readonly (readonly [name: string, form: Form])[] = Object.entries(forms);
