import {
  type JournalOptions,
  OperationMismatchError,
  OperationUnresolvedError,
  ServerError,
} from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { createClient, json, useMockService } from '../support/mock-service.ts';
import { listOpen, options } from './shop.ts';

const service = useMockService();
const failure = () => json({}, { status: 500 });

function start(journal: Partial<JournalOptions> = {}) {
  return createClient({ maxRetries: 0, journal: { store: memoryStore(), ...journal } });
}

const payoutTo = (account: string) =>
  ({ method: 'POST', path: '/v1/payouts', query: { account, note: 'a b' }, body: { amount: 5 } }) as const;

describe('the query of a request', () => {
  const encryptionKey = Buffer.alloc(32, 7).toString('base64');

  it.each([{}, { encryptionKey }])('is sent again by resume, with %j', async (journal) => {
    const payments = start(journal);
    service.answers(failure(), json({ id: 'po_1' }));
    await failureOf(payments.request(payoutTo('acct_A'), options), ServerError);
    const [operation] = await listOpen(payments);
    expect(await operation?.resume()).toEqual({ id: 'po_1' });
    expect(service.arrivals.map(({ url }) => url.search)).toEqual(Array(2).fill('?account=acct_A&note=a+b'));
    expect(await listOpen(payments)).toEqual([]);
    expect(await payments.request(payoutTo('acct_A'), options)).toEqual({ id: 'po_1' });
    expect(service.arrivals).toHaveLength(2);
  });

  it.each([
    [{}, ['query']],
    [{ encryptionKey }, ['query']],
    [{ contents: 'digest' } as const, []],
  ])('is compared, with %j', async (journal, differences) => {
    const payments = start(journal);
    service.answers(json({ id: 'po_1' }));
    await payments.request(payoutTo('acct_A'), options);
    const { query: _, ...withoutQuery } = payoutTo('acct_A');
    for (const other of [payoutTo('acct_B'), withoutQuery]) {
      const error = await failureOf(payments.request(other, options), OperationMismatchError);
      expect(error.differences).toEqual(differences);
    }
    expect(service.arrivals).toHaveLength(1);
  });

  it.each([
    [{}, true],
    [{ encryptionKey }, false],
    [{ contents: 'digest' } as const, false],
  ])('is stored like the other parameters, with %j', async (journal, isPlain) => {
    const store = memoryStore();
    const payments = start({ store, ...journal });
    service.answers(failure());
    await failureOf(payments.request(payoutTo('acct_A'), options), ServerError);
    const { claims } = await store.open({ space: 'operation', limit: 1 });
    expect(claims[0]?.data.includes('acct_A')).toBe(isPlain);
  });
});

describe.each(['PUT', 'PATCH'] as const)('a %s of unknown outcome', (method) => {
  const request = { method, path: '/v1/payouts/po_1', body: { amount: 5 } };

  it('is not sent again until it is settled', async () => {
    const payments = start();
    service.answers(failure(), json({ id: 'po_1' }));
    await failureOf(payments.request(request, options), ServerError);
    await failureOf(payments.request(request, options), OperationUnresolvedError);
    const [operation] = await listOpen(payments);
    expect(operation).toMatchObject({ state: 'unknown' });
    await expect(operation?.resume()).rejects.toThrow(OperationUnresolvedError);
    expect(service.arrivals).toHaveLength(1);
    await operation?.settle({ outcome: 'not_executed' });
    expect(await payments.request(request, options)).toEqual({ id: 'po_1' });
  });

  it('is sent once if it was planned', async () => {
    const payments = createClient({
      maxRetries: 0,
      journal: { store: memoryStore() },
      routes: { 'refunds.create': `${method} /v1/refunds` },
    });
    await payments.journal.plan().refunds.create({ charge_id: 'ch_1' }, options);
    service.answers(failure());
    const [operation] = await listOpen(payments);
    await expect(operation?.resume()).rejects.toThrow(ServerError);
    // This listed operation still says `planned`.
    await expect(operation?.resume()).rejects.toThrow(OperationUnresolvedError);
    expect(service.arrivals).toHaveLength(1);
  });
});
