/** Programs with a ring of encryption keys each, on one store. */

import { createJournal, type JournalOptions } from 'payments-client/journal';
import { memoryStore, type Store } from 'payments-client/stores';
import { expect } from 'vitest';
import { refund as sampleRefund } from '../support/fixtures.ts';
import { json, text } from '../support/mock-service.ts';
import type { useScriptedService } from '../support/scripted-service.ts';
import { listOpen, recorded } from './shop.ts';

export const [one = '', two = '', three = ''] = [1, 2, 3].map((byte) =>
  Buffer.alloc(32, byte).toString('base64'),
);
const refund = { charge_id: 'ch_1', reason: 'for Ada' };
export const failed = () => json({}, { status: 500 });

export type EncryptionKey = JournalOptions['encryptionKey'];

/** Reads an `encryptionKey`: `none`, a key by its name, or a ring of them with commas. */
export function read(names: string): EncryptionKey {
  if (names === 'none') return undefined;
  const ring = names.split(', ').map((name) => ({ one, two, three })[name] ?? name);
  return ring.length === 1 ? ring[0] : ring;
}

type Service = ReturnType<typeof useScriptedService>;
type Program = ReturnType<Service['createClient']>;

/** Programs that share a store, each with a ring of its own. */
export function shareStore(service: Service, store: Store = memoryStore()) {
  const program = (
    encryptionKey: EncryptionKey,
    {
      account,
      secretKey = 'sk_v1_test_one',
    }: { readonly account?: string; readonly secretKey?: string } = {},
  ): Program => {
    const journal = createJournal({ store, account, encryptionKey });
    return service.createClient({ repeats: 'recorded', secretKey, journal });
  };
  return { store, program };
}

export const sell = (payments: Program, operationId: string) =>
  payments.transact.sale({ amount: '12.00', payment_token: 'tok_1', orderid: 'for Ada' }, { operationId });
export const create = (payments: Program, operationId: string) =>
  payments.refunds.create(refund, { operationId });

/** Leaves a record in each state, and returns what reads each of them. */
export async function leaveRecords(service: Service, payments: Program) {
  service.answers(({ url, body }) => {
    if (body.includes('lost')) return failed();
    if (body.includes('refused')) return json({ error: { code: 'RATE_LIMITED' } }, { status: 429 });
    return url.pathname.endsWith('.php') ? text('response=1&transactionid=t1') : json(sampleRefund);
  });
  const refundOf = (charge_id: string, by: Program) =>
    by.refunds.create({ ...refund, charge_id }, { operationId: charge_id });
  const done = await refundOf('ch_done', payments);
  const sold = await sell(payments, 'sold');
  await refundOf('ch_lost', payments).catch(() => undefined);
  await refundOf('ch_refused', payments).catch(() => undefined);
  await payments.journal
    .plan()
    .refunds.create({ ...refund, charge_id: 'ch_planned' }, { operationId: 'ch_planned' });
  const sent = service.arrivals.length;
  return async (by: Program) => {
    expect(await refundOf('ch_done', by)).toEqual(recorded(done));
    expect(await sell(by, 'sold')).toEqual(recorded(sold));
    expect((await listOpen(by)).map(({ operationId, state }) => [operationId, state])).toEqual([
      ['ch_lost', 'unknown'],
      ['ch_planned', 'planned'],
    ]);
    const other = by.refunds.create({ charge_id: 'ch_other' }, { operationId: 'ch_refused' });
    await expect(other).rejects.toMatchObject({ name: 'OperationMismatchError', outcome: 'not_executed' });
    expect(service.arrivals).toHaveLength(sent);
  };
}

/** Returns each text of the store. */
export async function textsOf(store: Store): Promise<string> {
  const { found } = await store.scan({ space: 'operation', limit: 100 });
  return found.map(({ data }) => data).join('\n');
}
