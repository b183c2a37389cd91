/** The ring of encryption keys: the first writes, all read, and `reencrypt` writes the rest with the first. */

import fc from 'fast-check';
import { ConfigurationError, OperationUnresolvedError, type PaymentsClientOptions } from 'payments-client';
import { createJournal, type JournalOptions } from 'payments-client/journal';
import { memoryStore, type Store } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { refund as sampleRefund } from '../support/fixtures.ts';
import { json, text } from '../support/mock-service.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import { bySize } from '../support/size.ts';
import { listOpen, recorded } from './shop.ts';

const service = useScriptedService();
const [one = '', two = '', three = ''] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64'));
const refund = { charge_id: 'ch_1', reason: 'for Ada' };
const failed = () => json({}, { status: 500 });

type EncryptionKey = JournalOptions['encryptionKey'];

/** Programs that share a store, each with a ring of its own. */
function shareStore(store: Store = memoryStore()) {
  const program = (
    encryptionKey: EncryptionKey,
    more: Partial<JournalOptions & PaymentsClientOptions> = {},
  ) => {
    const { account, secretKey, ...journal } = more;
    const journalOf = createJournal({ store, account, ...journal, encryptionKey });
    return service.createClient({ repeats: 'recorded', journal: journalOf, ...(secretKey && { secretKey }) });
  };
  return { store, program };
}

type Program = ReturnType<ReturnType<typeof shareStore>['program']>;

const sale = (payments: Program, operationId: string) =>
  payments.transact.sale({ amount: '12.00', payment_token: 'tok_1', orderid: 'for Ada' }, { operationId });
const create = (payments: Program, operationId: string) => payments.refunds.create(refund, { operationId });

/** Leaves a record in each state, and returns what reads each of them. */
async function leaveRecords(payments: Program) {
  service.answers(({ url, body }) => {
    if (body.includes('lost')) return failed();
    if (body.includes('refused')) return json({ error: { code: 'RATE_LIMITED' } }, { status: 429 });
    return url.pathname.endsWith('.php') ? text('response=1&transactionid=t1') : json(sampleRefund);
  });
  const refundOf = (charge_id: string, by: Program) =>
    by.refunds.create({ ...refund, charge_id }, { operationId: charge_id });
  const done = await refundOf('ch_done', payments);
  const sold = await sale(payments, 'sold');
  await refundOf('ch_lost', payments).catch(() => undefined);
  await refundOf('ch_refused', payments).catch(() => undefined);
  await payments.journal
    .plan()
    .refunds.create({ ...refund, charge_id: 'ch_planned' }, { operationId: 'ch_planned' });
  const sent = service.arrivals.length;
  return async (by: Program) => {
    expect(await refundOf('ch_done', by)).toEqual(recorded(done));
    expect(await sale(by, 'sold')).toEqual(recorded(sold));
    expect((await listOpen(by)).map(({ operationId, state }) => [operationId, state])).toEqual([
      ['ch_lost', 'unknown'],
      ['ch_planned', 'planned'],
    ]);
    const other = by.refunds.create({ charge_id: 'ch_other' }, { operationId: 'ch_refused' });
    await expect(other).rejects.toMatchObject({ name: 'OperationMismatchError', outcome: 'not_executed' });
    expect(service.arrivals).toHaveLength(sent);
  };
}

/** The rings of two rotations after encryption was enabled, and before it is disabled, one deploy each. */
const deploys: readonly EncryptionKey[] = [
  undefined,
  ['plain', one],
  [one, 'plain'],
  [one, two, 'plain'],
  [two, one, 'plain'],
  [two, three, one, 'plain'],
  [three, two, one, 'plain'],
  ['plain', three, two, one],
];

describe('in a deploy', () => {
  const steps = deploys.slice(1).map((next, index) => [deploys[index], next] as const);

  it.each(steps)('from %j to %j each process reads what the others write', async (before, after) => {
    for (const [writer, reader] of [
      [before, after],
      [after, before],
    ]) {
      const { program } = shareStore();
      const readsAll = await leaveRecords(program(writer));
      await readsAll(program(reader));
      service.arrivals.length = 0;
    }
  });
});

/** Returns each text of the store. */
async function textsOf(store: Store): Promise<string> {
  const { found } = await store.scan({ space: 'operation', limit: 100 });
  return found.map(({ data }) => data).join('\n');
}

describe('a write', () => {
  it.each<[writer: EncryptionKey, rewriter: EncryptionKey]>([
    [one, [two, one]],
    [undefined, [two, 'plain']],
  ])('encrypts anew what %j wrote, all of it, as %j does', async (writer, rewriter) => {
    const { store, program } = shareStore();
    service.answers(failed(), failed(), json(sampleRefund));
    await create(program(writer), 'o').catch(() => undefined);
    await create(program(rewriter), 'o').catch(() => undefined);
    expect(await textsOf(store)).not.toContain('for Ada');
    const [operation] = await listOpen(program(two));
    expect(await operation?.resume()).toMatchObject({ id: sampleRefund.id });
    expect(new Set(service.arrivals.map(({ body }) => body)).size).toBe(1);
    expect(await create(program(two), 'o')).toEqual(recorded(sampleRefund));
  });

  it('in plain decrypts all of it', async () => {
    const { store, program } = shareStore();
    service.answers(failed());
    await create(program(one), 'o').catch(() => undefined);
    expect(await textsOf(store)).not.toContain('for Ada');
    await create(program(['plain', one]), 'o').catch(() => undefined);
    expect(await textsOf(store)).toContain('for Ada');
  });
});

describe('reencrypt', () => {
  it.each<[before: EncryptionKey, ring: EncryptionKey, after: EncryptionKey]>([
    [undefined, [one, 'plain'], one],
    [one, [two, one], two],
    [one, ['plain', one], undefined],
  ])('makes what %j wrote readable without it', async (before, ring, after) => {
    const { program } = shareStore();
    const readsAll = await leaveRecords(program(before));
    expect(await program(ring).journal.reencrypt()).toEqual({ done: 5, left: 0, others: 0 });
    expect(await program(ring).journal.reencrypt()).toEqual({ done: 0, left: 0, others: 0 });
    await readsAll(program(after));
  });

  it('counts what no key reads, leaves it as it is, and does the rest', async () => {
    const { store, program } = shareStore();
    service.answers(json(sampleRefund));
    await create(program(three), 'of a lost key');
    await create(program(undefined), 'in plain');
    await create(program(one), 'of one');
    expect(await program([two, one]).journal.reencrypt()).toEqual({ done: 1, left: 2, others: 0 });
    const texts = await textsOf(store);
    expect(await program([two, one]).journal.reencrypt()).toEqual({ done: 0, left: 2, others: 0 });
    expect(await textsOf(store)).toBe(texts);
    expect(await create(program(three), 'of a lost key')).toEqual(recorded(sampleRefund));
  });

  it('goes on after its store failed', async () => {
    const store = memoryStore();
    let writes = 0;
    const failing: Store = {
      ...store,
      replace: (...args) => (++writes === 3 ? Promise.reject(new Error('down')) : store.replace(...args)),
    };
    const { program } = shareStore(failing);
    const readsAll = await leaveRecords(program(one));
    await expect(program([two, one]).journal.reencrypt()).rejects.toThrow('down');
    expect(await program([two, one]).journal.reencrypt()).toEqual({ done: 3, left: 0, others: 0 });
    await readsAll(program(two));
  });

  it('changes no record of another merchant without an account, who could not read it then', async () => {
    const { program } = shareStore();
    const other = { secretKey: 'sk_v1_test_merchant_two' };
    service.answers(json(sampleRefund));
    await create(program(undefined), 'own');
    await create(program(undefined, other), 'theirs');
    await create(program(three, other), 'also theirs');
    expect(await program([one, 'plain']).journal.reencrypt()).toEqual({ done: 1, left: 0, others: 2 });
    expect(await create(program(undefined, other), 'theirs')).toEqual(recorded(sampleRefund));
  });

  it('also writes what was recorded before the journal had an account', async () => {
    const { program } = shareStore();
    service.answers(json(sampleRefund));
    await create(program(one), 'before');
    const named = (ring: EncryptionKey) => program(ring, { account: 'shop-1' });
    await create(named(one), 'after');
    expect(await named([two, one]).journal.reencrypt()).toEqual({ done: 2, left: 0, others: 0 });
    for (const id of ['before', 'after'])
      expect(await create(named(two), id)).toEqual(recorded(sampleRefund));
  });

  it('keeps a result that is longer encrypted than the journal records', async () => {
    const { program } = shareStore();
    const long = { ...sampleRefund, text: 'x'.repeat(700_000) };
    service.answers(json(long));
    await create(program(undefined), 'o');
    expect(await program([one, 'plain']).journal.reencrypt()).toMatchObject({ done: 1, left: 0 });
    expect(await create(program(one), 'o')).toEqual(recorded(long));
  });

  it('needs a store that lists all keys and replaces their data', async () => {
    const { scan, replace, ...store } = memoryStore();
    for (const part of [store, { ...store, replace }]) {
      const { journal } = service.createClient({
        journal: createJournal({ store: part, encryptionKey: one }),
      });
      const { issues } = await failureOf(journal.reencrypt(), ConfigurationError);
      expect(issues).toMatchObject([
        { path: 'createJournal.store', expected: 'a store with scan and replace' },
      ]);
    }
    const { program } = shareStore(anything({ ...store, scan }));
    service.answers(json(sampleRefund));
    await create(program(one), 'o');
    await failureOf(program([two, one]).journal.reencrypt(), ConfigurationError);
  });

  it('loses no update of a call, whatever runs between two of its accesses', async () => {
    const property = fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom('ok', 'lost'), { minLength: 1, maxLength: 4 }),
      async (scheduler, ends) => {
        const store = memoryStore();
        const pausing = Object.fromEntries(
          Object.entries(store).map(([name, method]) => [
            name,
            (...args: unknown[]) => scheduler.schedule(Promise.resolve(), name).then(() => method(...args)),
          ]),
        );
        const { program } = shareStore(anything(pausing));
        service.arrivals.length = 0;
        service.answers(({ url }) => {
          const end = ends[service.arrivals.length - 1];
          if (end === 'lost') return failed();
          return url.pathname.endsWith('.php') ? text('response=1&transactionid=t1') : json(sampleRefund);
        });
        const work = async () => {
          for (const _ of ends) {
            await sale(program([two, one]), 'a').catch(() => undefined);
            await create(program([one, two]), 'a').catch(() => undefined);
          }
        };
        const settled = Promise.all([
          work(),
          program([two, one]).journal.reencrypt(),
          program([one, two]).journal.reencrypt(),
        ]);
        await scheduler.waitFor(settled);
        const sold = service.arrivals.filter(({ url }) => url.pathname.endsWith('.php')).length;
        expect(sold).toBe(1);
        const { program: quietly } = shareStore(store);
        expect(await quietly([two, one]).journal.reencrypt()).toMatchObject({ left: 0 });
        const before = service.arrivals.length;
        const end = await sale(quietly(two), 'a').then(String, ({ name }) => name);
        expect([end, service.arrivals.length]).toEqual([
          ends[0] === 'ok' ? '[object Object]' : 'OperationUnresolvedError',
          before,
        ]);
      },
    );
    await fc.assert(property, { numRuns: bySize({ short: 15, all: 100, long: 2000 }) });
  });
});

describe('a record in plain', () => {
  it('is refused without plain in the ring, since it may be forged, and the error says what to do', async () => {
    const { program } = shareStore();
    service.answers(failed());
    await create(program(undefined), 'o').catch(() => undefined);
    const error = await failureOf(create(program([one, two]), 'o'), OperationUnresolvedError);
    expect(error.message).toBe(
      "refunds.create: expected a record that a key of encryptionKey wrote, got one in plain. Nothing was sent: if it was written before encryption was enabled, add 'plain' to the end of encryptionKey, and run journal.reencrypt(). Otherwise it is forged.",
    );
    const [operation] = await listOpen(program([one, two]));
    expect(operation?.state).toBe('damaged');
    await expect(operation?.resume()).rejects.toThrow('got one in plain');
    expect(service.arrivals).toHaveLength(1);
  });
});

describe('encryptionKey', () => {
  it.each<[ring: unknown, path: string, expected: string]>([
    ['short', 'encryptionKey', "base64 of 32 bytes, or 'plain'"],
    [7, 'encryptionKey', "base64 of 32 bytes, or 'plain'"],
    [[], 'encryptionKey', 'one key or more, each of them once'],
    [[one, two, one], 'encryptionKey', 'one key or more, each of them once'],
    [[one, undefined], 'encryptionKey[1]', "base64 of 32 bytes, or 'plain'"],
    [[`${one} `, one], 'encryptionKey[0]', "base64 of 32 bytes, or 'plain'"],
  ])('%j is refused, and not repeated', (ring, path, expected) => {
    const make = () => createJournal({ store: memoryStore(), encryptionKey: anything(ring) });
    expect(make).toThrow(`createJournal.${path}: expected ${expected}, got `);
    for (const key of [one, 'short']) expect(make).not.toThrow(key);
  });

  it('that is changed after the call changes nothing', async () => {
    const { program } = shareStore();
    const ring = [one];
    const payments = program(ring);
    ring[0] = two;
    service.answers(json(sampleRefund));
    await create(payments, 'o');
    expect(await create(program(one), 'o')).toEqual(recorded(sampleRefund));
  });
});
