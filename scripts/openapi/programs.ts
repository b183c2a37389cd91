/** Small programs that use the output of third-party generators. They compile strictly, and two of them run with a sandbox. */

/** Types only: exclusive parameters are unions, and enumerations are open. */
export const typesProgram = `
import type { components, paths } from './generated/types';

type Refund = paths['/v1/refunds']['post']['requestBody']['content']['application/json'];
export const refunds: readonly Refund[] = [{ payment_intent_id: 'pi_1', amount: 500 }, { charge_id: 'ch_1' }];
// @ts-expect-error A refund names its payment once.
export const both: Refund = { payment_intent_id: 'pi_1', charge_id: 'ch_1' };
// @ts-expect-error A refund names its payment.
export const neither: Refund = { amount: 500 };

type Sale = components['schemas']['sale'];
const sale = { type: 'sale', amount: '12.00', security_key: 'key' } as const;
export const sales: readonly Sale[] = [
  { ...sale, payment_token: 'token' },
  { ...sale, ccnumber: '4111111111111111', ccexp: '1230' },
];
// @ts-expect-error A token replaces the card.
export const withExpiry: Sale = { ...sale, payment_token: 'token', ccexp: '1230' };

type Status = components['schemas']['refund']['status'];
export const statuses: readonly Status[] = ['succeeded', 'a_status_of_tomorrow'];
`;

const service = `
declare const process: { readonly argv: readonly string[] };
const { url, secretKey, securityKey } = JSON.parse(process.argv.at(-1) ?? '');
const key = (name: string) => ({ 'Idempotency-Key': name });
const sale = { type: 'sale', amount: '12.00', payment_token: 'token', security_key: securityKey } as const;
`;

export const expectedOutput = {
  statuses: ['requires_payment_method', 'succeeded', 'pending'],
  listed: 1,
  missing: 'OBJECT_NOT_FOUND',
  approved: true,
};

/** Pays, refunds, lists, gets an error and sells with the client of `@hey-api/openapi-ts`. */
export const heyApiProgram = `
import { createClient } from './generated/client';
import * as sdk from './generated/index';
${service}
const client = createClient({ baseUrl: url, auth: secretKey });
const shared = { client, throwOnError: true } as const;
const created = await sdk.paymentIntentsCreate({ ...shared, body: { amount: 1200, currency: 'usd' }, headers: key('create') });
const path = { id: created.data.id };
const paid = await sdk.paymentIntentsConfirm({ ...shared, path, body: { payment_method: 'pm_card_visa' }, headers: key('confirm') });
const refund = await sdk.refundsCreate({ ...shared, body: { payment_intent_id: path.id, amount: 500 }, headers: key('refund') });
const { data: page } = await sdk.refundsList({ ...shared, query: { limit: 20 } });
const { error } = await sdk.refundsRetrieve({ client, path: { id: 'rf_unknown' } });
const sold = await sdk.transactSubmit({ ...shared, body: sale, parseAs: 'text' });
console.log(JSON.stringify({
  statuses: [created, paid, refund].map(({ data }) => data.status),
  listed: page.data.length,
  missing: error?.error.code,
  approved: String(sold.data).startsWith('response=1&'),
}));
`;

/** The same with the client of `swagger-typescript-api`. */
export const swaggerTypescriptProgram = `
import { Api } from './generated/api';
${service}
const authorization = 'Bearer ' + secretKey;
const { v1, api } = new Api({ baseUrl: url, baseApiParams: { headers: { authorization }, format: 'json' } });
const withKey = (name: string) => ({ headers: key(name) });
const created = await v1.paymentIntentsCreate({ amount: 1200, currency: 'usd' }, withKey('create'));
const { id } = created.data;
const paid = await v1.paymentIntentsConfirm(id, { payment_method: 'pm_card_visa' }, withKey('confirm'));
const refund = await v1.refundsCreate({ payment_intent_id: id, amount: 500 }, withKey('refund'));
const { data: page } = await v1.refundsList({ limit: 20 });
const missing = await v1.refundsRetrieve('rf_unknown').catch((response) => response.error.error.code);
const sold = await api.transactSubmit(sale, { format: 'text' });
console.log(JSON.stringify({
  statuses: [created, paid, refund].map(({ data }) => data.status),
  listed: page.data.length,
  missing,
  approved: String(sold.data).startsWith('response=1&'),
}));
`;
