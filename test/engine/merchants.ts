/** Whose orders there are, by which names, and how a request says it. */

import { createHash } from 'node:crypto';
import type { Money } from './dimensions/currencies.ts';

/** A merchant of the service. Both use the same ids for their orders. */
export type Merchant = 'first' | 'other';

/** The keys of a merchant. */
export interface Keys {
  readonly secretKey: string;
  readonly securityKey: string;
}

/** The keys of the first merchant, those that replace them, and those of another one. */
export const keys = {
  first: { secretKey: 'sk_v1_test_simulation', securityKey: 'simulation-key' },
  rotated: { secretKey: 'sk_v1_test_after_rotation', securityKey: 'rotated-security-key' },
  other: { secretKey: 'sk_v1_test_of_the_other', securityKey: 'security-key-of-the-other' },
} satisfies Record<string, Keys>;

/** The card and the token of every sale. */
export const card = { ccnumber: '4111111111111111', ccexp: '1230', cvv: '9173' };
export const token = 'tok_canary_of_a_buyer';

/** The texts that nobody may get, and no store may keep. */
export const secrets: readonly string[] = [
  ...Object.values(keys).flatMap((own) => Object.values(own)),
  card.ccnumber,
  token,
];

export const merchantIds = { first: 'mer_1', other: 'mer_other' };

/** Returns the merchant whose key a request carries. */
export function merchantIn(headers: Headers, body: string): Merchant {
  const key = headers.get('authorization') ?? new URLSearchParams(body).get('security_key') ?? '';
  return Object.values(keys.other).some((own) => key.endsWith(own)) ? 'other' : 'first';
}

const otherCredentials = Object.values(keys.other).map((key) =>
  createHash('sha256').update(key).digest('hex').slice(0, 16),
);

/** Returns the merchant that a record of the journal belongs to. */
export function merchantOfRecord(credential: unknown): Merchant {
  return otherCredentials.some((own) => own === credential) ? 'other' : 'first';
}

/** Returns the name of a merchant's order: its id, and whose it is. */
export function nameOf(id: string, merchant: Merchant): string {
  return merchant === 'first' ? id : `${id}@other`;
}

export function keyOf(headers: Headers): string | undefined {
  return headers.get('idempotency-key') ?? undefined;
}

/** Returns the id of the paid intent that an order refunds. */
export function refundedIntent(orderId: string): `pi_${string}` {
  return `pi_${orderId.replace('-', '').padStart(24, '0')}`;
}

/** Returns the id of the order that refunds an intent. */
export function refundingOrder(intent: string | null): string {
  return `order-${/order(\d+)$/.exec(intent ?? '')?.[1]}`;
}

/** Returns the name of the order that a request is about. */
export function orderIn(path: string, headers: Headers, body: string): string {
  return nameOf(orderIdIn(path, body), merchantIn(headers, body));
}

function orderIdIn(path: string, body: string): string {
  if (path.endsWith('.php')) return new URLSearchParams(body).get('orderid') ?? '';
  const { metadata, payment_intent_id } = JSON.parse(body);
  return metadata?.order ?? refundingOrder(payment_intent_id);
}

/** Returns the money that a request names; a refund names no currency. */
export function moneyIn(path: string, body: string): Pick<Money, 'amount'> & Partial<Money> {
  if (path.endsWith('.php')) {
    const form = new URLSearchParams(body);
    return { amount: Math.round(Number(form.get('amount')) * 100), ...currencyFrom(form.get('currency')) };
  }
  const { amount, currency } = JSON.parse(body);
  return { amount, ...currencyFrom(currency) };
}

/** Returns the currency of a request or an object. */
export function currencyFrom(text: unknown): Partial<Money> {
  const currency = (['usd', 'eur'] as const).find((known) => known === String(text).toLowerCase());
  return currency === undefined ? {} : { currency };
}
