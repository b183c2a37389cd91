import { ConfigurationError, JournalError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import type { ClaimStore } from '../support/stores.ts';
import { options, params, replacing, startShop } from './shop.ts';

const sale = { amount: '12.00', payment_token: 'tok_1' };

/** A store whose claims tell which server granted them, as those of a database do. */
function serverOf(store: ClaimStore = memoryStore()) {
  const state: { server: string | undefined; finds: number } = { server: 'first', finds: 0 };
  const named = replacing(store, {
    claim: async (...args) => ({ ...(await store.claim(...args)), server: state.server }),
    find: async (...args) => {
      if (args[0].startsWith('server/')) state.finds += 1;
      return store.find(...args);
    },
  });
  return { state, named, store };
}

/** A shop on such a store, and what it logs. */
async function openShop(afterFailover: 'warn' | 'refuse', account?: string) {
  const { state, named, store } = serverOf();
  const warnings: string[] = [];
  const logger = { warn: (message: string) => warnings.push(message) };
  const shop = await startShop({ store: named, afterFailover, account }, { logger });
  const sell = (operationId: string, payments = shop.payments) =>
    payments.transact.sale(sale, { operationId });
  return { ...shop, state, store, warnings, sell };
}

const restored =
  /^journal: expected the server that kept the journal before, got another or a restored one, noticed at \d{4}-.*Z\. It may have forgotten calls\. Compare the sales .*, then call payments\.journal\.acknowledgeFailover\(\)\.$/;

describe('a failover of the store', () => {
  it('leads to one warning of each process, and to the field of the backlog', async () => {
    const { payments, restart, state, warnings, sell } = await openShop('warn');
    await sell('one');
    expect([warnings, (await payments.journal.backlog()).failedOver]).toEqual([[], false]);
    state.server = 'second';
    await payments.paymentIntents.create(params, options);
    await sell('two');
    expect(warnings).toEqual([expect.stringMatching(restored)]);
    expect((await payments.journal.backlog()).failedOver).toBe(true);
    const other = restart();
    await sell('three', other);
    expect(warnings).toHaveLength(2);
    await other.journal.acknowledgeFailover();
    expect((await payments.journal.backlog()).failedOver).toBe(false);
    await sell('four', restart());
    expect(warnings).toHaveLength(2);
  });

  it('is known to a process that made no call since', async () => {
    const { payments, restart, state, sell } = await openShop('warn');
    await sell('one');
    state.server = 'second';
    await sell('two');
    const idle = restart();
    expect((await idle.journal.backlog()).failedOver).toBe(true);
    await payments.journal.acknowledgeFailover();
    expect((await idle.journal.backlog()).failedOver).toBe(false);
  });

  it('is not forgotten if the store does not keep it at once', async () => {
    const memory = memoryStore();
    let isBroken = false;
    const breaking = replacing(memory, {
      release: async (...args) => {
        if (isBroken && args[0].startsWith('server/')) throw new Error('the connection was reset');
        return memory.release(...args);
      },
    });
    const { state, named } = serverOf(breaking);
    const { payments, restart } = await startShop({ store: named });
    const sell = (operationId: string) => payments.transact.sale(sale, { operationId });
    await sell('one');
    state.server = 'second';
    isBroken = true;
    await sell('two');
    expect((await payments.journal.backlog()).failedOver).toBe(true);
    isBroken = false;
    await sell('three');
    expect((await payments.journal.backlog()).failedOver).toBe(true);
    await memory.release('server/operation', 'none');
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 6000);
    await sell('four');
    vi.restoreAllMocks();
    expect((await restart().journal.backlog()).failedOver).toBe(true);
  });

  it('refuses what has no key until it is acknowledged, in each process, and sends nothing of it', async () => {
    const { sandbox, payments, restart, state, sell } = await openShop('refuse');
    await sell('one');
    state.server = 'second';
    for (const client of [payments, restart(), payments]) {
      const error = await failureOf(sell('two', client), JournalError);
      expect(error).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', outcome: 'unknown', retryable: false });
      expect(error.cause).toMatchObject({ code: 'STORE_FAILED_OVER' });
      expect(error.message).toMatch(
        /^transact\.sale: createJournal\.afterFailover: .* This call sent nothing\.$/,
      );
    }
    expect(sandbox.requests).toHaveLength(1);
    // The service knows it by its key.
    await payments.paymentIntents.create(params, options);
    // What has a result is not sent.
    expect(await sell('one')).toMatchObject({ approved: true });
    await restart().journal.acknowledgeFailover();
    expect(await sell('two')).toMatchObject({ approved: true });
    expect(sandbox.requests).toHaveLength(3);
  });

  it('that another process noticed is known to one that missed it, also after the way back', async () => {
    const { payments, restart, state, sell } = await openShop('refuse');
    await sell('one');
    state.server = 'second';
    await failureOf(sell('two', restart()), JournalError);
    state.server = 'first';
    await failureOf(sell('three', payments), JournalError);
  });

  it('whose server has lost the row of the one before is noticed by a process that has seen it', async () => {
    const { state, store, sell } = await openShop('refuse');
    await sell('one');
    const [claim] = (await store.open({ space: 'server', limit: 1 })).claims;
    const again = await store.claim(String(claim?.key), 1000);
    if (again.status === 'claimed') await store.complete(String(claim?.key), again.token, 1);
    while ((await store.find(String(claim?.key))) !== undefined);
    state.server = 'second';
    await failureOf(sell('two'), JournalError);
  });

  it.each(['damaged', '{"server":7}', '{"server":"first","noticedAt":"now"}'])(
    'is assumed if what is kept of the server is %s',
    async (text) => {
      const { store, sell } = await openShop('refuse');
      await store.claim('server/operation', 1, { data: text });
      await failureOf(sell('one'), JournalError);
    },
  );

  it('is acknowledged for one account alone', async () => {
    const { sandbox, restart, state, sell } = await openShop('refuse', 'shop-1');
    const [one, other] = [restart(), restart({ account: 'shop-2' })];
    await sell('one', one);
    await sell('one', other);
    state.server = 'second';
    await failureOf(sell('two', one), JournalError);
    await one.journal.acknowledgeFailover();
    await sell('two', one);
    await failureOf(sell('two', other), JournalError);
    expect(sandbox.requests).toHaveLength(3);
  });

  it('costs nothing once a process knows its server, unless sales depend on it', async () => {
    const { payments, state, sell } = await openShop('warn');
    await payments.paymentIntents.create(params, options);
    expect(state.finds).toBe(1);
    await sell('one');
    await sell('two');
    expect(state.finds).toBe(1);
  });

  it('does not fail a call with a key whose store cannot be asked', async () => {
    const { named } = serverOf();
    const store = replacing(named, {
      find: async (key, ...rest) => {
        if (key.startsWith('server/')) throw new Error('the store is down');
        return named.find(key, ...rest);
      },
    });
    const { sandbox, payments } = await startShop({ store, afterFailover: 'refuse' });
    await payments.paymentIntents.create(params, options);
    const error = await failureOf(payments.transact.sale(sale, { operationId: 'one' }), JournalError);
    expect(error.retryable).toBe(true);
    expect(sandbox.requests).toHaveLength(1);
  });
});

it('a refused sale leaves no open operation, and is sent once that is allowed', async () => {
  const { sandbox, payments, state, sell } = await openShop('refuse');
  await sell('one');
  state.server = 'second';
  await failureOf(sell('two'), JournalError);
  expect((await payments.journal.backlog()).count).toBe(0);
  await payments.journal.acknowledgeFailover();
  await sell('two');
  await sell('two');
  expect(sandbox.requests).toHaveLength(2);
});

describe('a store that does not tell which server it is', () => {
  it('is refused for sales that depend on it, before anything is sent', async () => {
    const { sandbox, payments } = await startShop({ store: memoryStore(), afterFailover: 'refuse' });
    const error = await failureOf(payments.transact.sale(sale, options), ConfigurationError);
    expect(error.message).toContain('createJournal.store: expected a store that tells which server it is');
    expect(sandbox.requests).toEqual([]);
    await payments.paymentIntents.create(params, options);
  });

  it('cannot be acknowledged', async () => {
    const store = memoryStore();
    const { payments } = await startShop({ store });
    await failureOf(payments.journal.acknowledgeFailover(), ConfigurationError);
    expect((await store.open({ space: 'server', limit: 1, counts: true })).count).toBe(0);
  });
});

it('an unknown value of afterFailover is refused', async () => {
  const error = await failureOf(startShop({ afterFailover: Object('never') }), ConfigurationError);
  expect(error.message).toContain("createJournal.afterFailover: expected 'warn' or 'refuse'");
});
