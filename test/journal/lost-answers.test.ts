/** A store whose answer is lost, or never comes, before anything was sent: the operation ends as never sent. */

import {
  ConnectionError,
  JournalError,
  OperationMismatchError,
  RequestAbortedError,
  ServerError,
} from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refund as sampleRefund } from '../support/fixtures.ts';
import { createClient, json, text, useMockService } from '../support/mock-service.ts';
import type { ClaimStore } from '../support/stores.ts';
import { listOpen, options } from './shop.ts';

const service = useMockService();
const sale = { amount: '12.00', payment_token: 'tok_1' };
const approved = () => text('response=1&responsetext=OK&transactionid=t1');

type Method = 'claim' | 'renew' | 'release';

/** A store that works, but whose next answers of some methods are lost. */
function forgetfulStore(lost: Partial<Record<Method, number>>) {
  const store = memoryStore();
  const left = { claim: 0, renew: 0, release: 0, ...lost };
  const losing =
    <Args extends unknown[], Answer>(method: Method, run: (...args: Args) => Promise<Answer>) =>
    async (...args: Args) => {
      const isLost = left[method] > 0;
      left[method] -= 1;
      const answer = await run(...args);
      if (isLost) throw new Error('the connection was lost');
      return answer;
    };
  const losingStore: ClaimStore = {
    claim: losing('claim', (...args: Parameters<ClaimStore['claim']>) => store.claim(...args)),
    renew: losing('renew', (...args: Parameters<ClaimStore['renew']>) => store.renew(...args)),
    release: losing('release', (...args: Parameters<ClaimStore['release']>) => store.release(...args)),
    complete: (...args) => store.complete(...args),
    open: (query) => store.open(query),
  };
  return losingStore;
}

describe('a claim whose answer was lost', () => {
  it.each([
    ['', {}],
    [', and that of its release', { release: 1 }],
    [', and those of two releases', { release: 2 }],
  ])('ends as never sent%s, so the next call sends the sale once', async (_and, lost) => {
    const payments = createClient({ journal: { store: forgetfulStore({ claim: 1, ...lost }) } });
    service.answers(approved());
    const first = payments.transact.sale(sale, options);
    expect(await failureOf(first, JournalError)).toMatchObject({ outcome: 'not_executed', retryable: true });
    for (const _attempt of [1, 2, 3]) await payments.transact.sale(sale, options).catch(() => {});
    expect(await payments.transact.sale(sale, options)).toMatchObject({ approved: true });
    expect(service.arrivals).toHaveLength(1);
  });

  it('keeps what is known of an operation that was sent before', async () => {
    const store = memoryStore();
    const payments = createClient({ maxRetries: 0, journal: { store } });
    service.answers(text('', { status: 500 }), approved());
    await failureOf(payments.transact.sale(sale, options), ServerError);
    const losing = forgetfulStore({ claim: 1 });
    const shared: ClaimStore = {
      ...losing,
      claim: async (...args) => {
        await losing.claim('another', 1000);
        return store.claim(...args);
      },
      release: (...args) => store.release(...args),
      open: (query) => store.open(query),
    };
    const again = createClient({ maxRetries: 0, journal: { store: shared } });
    await failureOf(again.transact.sale(sale, options), JournalError);
    expect(await listOpen(payments)).toMatchObject([{ state: 'unknown' }]);
    expect(service.arrivals).toHaveLength(1);
  });

  it('before a second request leaves the operation open, and the next call repeats it', async () => {
    const payments = createClient({ maxRetries: 0, journal: { store: forgetfulStore({ renew: 1 }) } });
    service.answers(json({}, { status: 500 }), json(sampleRefund));
    const refund = () => payments.refunds.create({ charge_id: 'ch_1' }, options);
    await failureOf(refund(), ServerError);
    await failureOf(refund(), JournalError);
    expect(await refund()).toEqual(sampleRefund);
    expect(service.arrivals).toHaveLength(2);
  });
});

it('a refused connection whose release the store lost is not taken for a sale that was sent', async () => {
  const store = memoryStore();
  let isBroken = true;
  const broken =
    <Args extends unknown[], Answer>(run: (...args: Args) => Promise<Answer>) =>
    async (...args: Args) => {
      if (isBroken) throw new Error('the store is down');
      return run(...args);
    };
  const failing: ClaimStore = {
    claim: (...args) => store.claim(...args),
    renew: (...args) => store.renew(...args),
    open: (query) => store.open(query),
    release: broken((...args: Parameters<ClaimStore['release']>) => store.release(...args)),
    complete: broken((...args: Parameters<ClaimStore['complete']>) => store.complete(...args)),
  };
  const refusal = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
  let sent = 0;
  const fetch = async () => {
    sent += 1;
    if (sent === 1) throw new TypeError('fetch failed', { cause: refusal });
    return approved();
  };
  const payments = createClient({ fetch, maxRetries: 0, journal: { store: failing } });
  await failureOf(payments.transact.sale(sale, options), ConnectionError);
  isBroken = false;
  expect(await payments.transact.sale(sale, options)).toMatchObject({ approved: true });
});

describe('a signal that aborts', () => {
  it('ends the wait for a store that hangs', async () => {
    const store: ClaimStore = { ...forgetfulStore({}), claim: () => new Promise(() => {}) };
    const payments = createClient({ journal: { store } });
    const controller = new AbortController();
    const pending = payments.transact.sale(sale, { ...options, signal: controller.signal });
    controller.abort(new Error('the buyer left'));
    const error = await failureOf(pending, RequestAbortedError);
    expect(error).toMatchObject({ outcome: 'not_executed', cause: { message: 'the buyer left' } });
    expect(service.arrivals).toHaveLength(0);
  });

  it('gives back a claim that comes later', async () => {
    const store = memoryStore();
    const { promise, grant } = gate();
    const slow: ClaimStore = {
      ...forgetfulStore({}),
      claim: async (...args) => {
        await promise;
        return store.claim(...args);
      },
      release: (...args) => store.release(...args),
      complete: (...args) => store.complete(...args),
      open: (query) => store.open(query),
    };
    const payments = createClient({ journal: { store: slow } });
    const controller = new AbortController();
    const pending = payments.transact.sale(sale, { ...options, signal: controller.signal });
    controller.abort();
    await failureOf(pending, RequestAbortedError);
    grant();
    service.answers(approved());
    expect(await payments.transact.sale(sale, options)).toMatchObject({ approved: true });
    expect(service.arrivals).toHaveLength(1);
  });
});

function gate() {
  let grant = () => {};
  const promise = new Promise<void>((resolve) => {
    grant = resolve;
  });
  return { promise, grant };
}

describe('another body', () => {
  const declined = () => text('response=2&responsetext=DECLINE&transactionid=t1');

  it('after a declined sale names the new operationId that it needs', async () => {
    const payments = createClient({ journal: { store: memoryStore() } });
    service.answers(declined());
    await payments.transact.sale(sale, options);
    const again = payments.transact.sale({ ...sale, payment_token: 'tok_2' }, options);
    const error = await failureOf(again, OperationMismatchError);
    expect(error).toMatchObject({ outcome: 'not_executed', differences: ['payment_token'] });
    expect(error.message).toBe(
      'transact.sale: expected the parameters of the first call with this operationId, got another payment_token. The first call was declined. Nothing was sent: give a new attempt, such as one with another card, an operationId of its own, such as order-1042-2.',
    );
  });

  it('does not call a sale executed whose result was too long to record, since it may have been declined', async () => {
    const payments = createClient({ journal: { store: memoryStore() } });
    service.answers(text(`response=2&responsetext=DECLINE&transactionid=t1&memo=${'x'.repeat(950_000)}`));
    await payments.transact.sale(sale, options);
    const again = payments.transact.sale({ ...sale, amount: '13.00' }, options);
    const { message } = await failureOf(again, OperationMismatchError);
    expect(message).toContain('Nothing was sent: look at what the first call did');
  });

  it('with only another address of the buyer, or another risk session, gets the result', async () => {
    const payments = createClient({ journal: { store: memoryStore() } });
    service.answers(approved());
    const from = (ipaddress: string) => ({ ...sale, ipaddress, risk_session_id: `risk ${ipaddress}` });
    const first = await payments.transact.sale(from('192.0.2.1'), options);
    expect(await payments.transact.sale(from('192.0.2.2'), options)).toEqual(first);
    expect(await payments.transact.sale(sale, options)).toEqual(first);
    expect(service.arrivals).toHaveLength(1);
    const other = payments.transact.sale({ ...from('192.0.2.2'), amount: '12.01' }, options);
    expect((await failureOf(other, OperationMismatchError)).differences).toEqual(['amount']);
  });

  it.each(['4111111111111111', 'sk_v1_live_abcdefgh', '\u001b[2J', 'x'.repeat(40)])(
    'does not repeat the unknown name %j, nor any value',
    async (name) => {
      const payments = createClient({ journal: { store: memoryStore() } });
      service.answers(json({ id: 'po_1' }));
      const payout = (body: object) =>
        payments.request({ method: 'POST', path: '/v1/payouts', body }, options);
      await payout({ amount: 5 });
      const error = await failureOf(payout({ amount: 5, [name]: 'a value' }), OperationMismatchError);
      expect(error.message).toContain('got another field.');
      expect(error.differences).toEqual([]);
      expect(JSON.stringify([error.message, error])).not.toContain(name);
      expect(error.message).not.toContain('a value');
    },
  );
});
