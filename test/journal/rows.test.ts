/** A row of the store that was moved, damaged, forged or written with another key is never acted on. */

import { JournalError, OperationUnresolvedError, ServerError } from 'payments-client';
import type { JournalOptions } from 'payments-client/journal';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refund as sampleRefund } from '../support/fixtures.ts';
import { json } from '../support/mock-service.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import { listOpen, options, recorded, replacing } from './shop.ts';

const service = useScriptedService();
const { createClient } = service;
const [encryptionKey, otherKey] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
const refund = { charge_id: 'ch_1' };
const key = 'operation/pc1:refunds.create:order-1042';

/** A program whose store returns what the test edits. */
function start(journal: Partial<JournalOptions> = {}) {
  const store = memoryStore();
  const edit = { data: (data: string) => data };
  const edited = replacing(store, {
    claim: async (...args) => {
      const claim = await store.claim(...args);
      return claim.data === undefined ? claim : { ...claim, data: edit.data(claim.data) };
    },
    open: async (query) => {
      const page = await store.open(query);
      return { ...page, claims: page.claims.map((row) => ({ ...row, data: edit.data(row.data) })) };
    },
  });
  const clientWith = (more: Partial<JournalOptions> = {}) =>
    createClient({ repeats: 'recorded', journal: createJournal({ store: edited, ...journal, ...more }) });
  return { store, edit, payments: clientWith(), clientWith };
}

const edits: readonly [what: string, edit: (data: string) => string][] = [
  ['another result', (data) => data.replace(/"result":"../, '"result":"xx')],
  ['another state', (data) => data.replace('"state":"done"', '"state":"refused"')],
  ['another start', (data) => data.replace(/"startedAt":\d/, '"startedAt":9')],
  ['another key', (data) => data.replace('"keyed":true', '"keyed":false')],
  ['another origin', (data) => data.replace('payments.test', 'evil.example')],
  ['another credential', (data) => data.replace(/"credential":"./, '"credential":"z')],
  ['another field', (data) => data.replace('{', '{"more":1,')],
  ['no seal', (data) => data.replace(/,"seal":"\w+"/, '')],
  ['half of it', (data) => data.slice(0, data.length / 2)],
  ['other JSON', () => '{}'],
  ['nothing', () => ''],
];

describe.each<[string, Partial<JournalOptions>]>([
  ['in plain', {}],
  ['encrypted', { encryptionKey }],
])('a row %s', (_how, journal) => {
  it.each(edits)('with %s is neither sent nor returned', async (_what, change) => {
    const { edit, payments } = start(journal);
    service.answers(json(sampleRefund));
    await payments.refunds.create(refund, options);
    const changed: boolean[] = [];
    edit.data = (data) => {
      changed.push(change(data) !== data);
      return change(data);
    };
    const error = await failureOf(payments.refunds.create(refund, options), OperationUnresolvedError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false, lookUp: {} });
    expect(error.message).toMatch(/^refunds\.create: expected a record as the journal wrote it/);
    expect(error.startedAt.getTime()).toBeGreaterThan(0);
    expect(changed).not.toContain(false);
    edit.data = (data) => data;
    expect(await payments.refunds.create(refund, options)).toEqual(recorded(sampleRefund));
    expect(service.arrivals).toHaveLength(1);
  });

  it('of another operation is not returned', async () => {
    const { store, edit, payments } = start(journal);
    service.answers(json(sampleRefund));
    await payments.refunds.create(refund, options);
    const { data = '' } = await store.claim(key, 1000);
    edit.data = () => data;
    await failureOf(payments.refunds.create(refund, { operationId: 'order-7' }), OperationUnresolvedError);
    expect(service.arrivals).toHaveLength(1);
  });
});

it('a row that was changed after the answer of its claim was lost is not sealed anew', async () => {
  const store = memoryStore();
  let isLost = true;
  const losing = replacing(store, {
    claim: async (...args) => {
      const claim = await store.claim(...args);
      if (isLost) throw new Error('the answer is lost');
      return claim;
    },
    open: async (query) => {
      if (isLost) throw new Error('the answer is lost');
      return store.open(query);
    },
  });
  const payments = createClient({ journal: createJournal({ store: losing, encryptionKey }) });
  await failureOf(payments.refunds.create(refund, options), JournalError);
  isLost = false;
  const [{ data } = expect.fail('no row')] = (await store.open({ key })).claims;
  await store.replace(key, data, data.replace('"keyed":true', '"keyed":false'));
  await failureOf(payments.refunds.create(refund, options), OperationUnresolvedError);
  expect(service.arrivals).toEqual([]);
});

describe('a row that was written with a key that encryptionKey lacks', () => {
  it.each([
    ['another', otherKey],
    ['none', undefined],
  ])(
    'gives no result with %s, is neither resumed nor settled, and stays as it is',
    async (_which, wrongKey) => {
      const { payments, clientWith } = start({ encryptionKey });
      const wrong = clientWith({ encryptionKey: wrongKey });
      service.answers(json(sampleRefund));
      const done = { operationId: 'done' };
      await payments.refunds.create(refund, done);
      const error = await failureOf(wrong.refunds.create(refund, done), OperationUnresolvedError);
      expect(error.message).toMatch(
        /no key of encryptionKey reads\. Nothing was sent: add the key that wrote it, as in \[new, old\]/,
      );
      await payments.journal.plan().refunds.create(refund, options);
      const [operation] = await listOpen(wrong);
      expect(operation?.state).toBe('damaged');
      await failureOf(operation?.resume() ?? Promise.resolve(), OperationUnresolvedError);
      await expect(operation?.settle({ outcome: 'executed' })).rejects.toThrow('whose record is damaged');
      expect(service.arrivals).toHaveLength(1);
      expect(await payments.refunds.create(refund, done)).toEqual(recorded(sampleRefund));
      const [own] = await listOpen(payments);
      expect(await own?.resume()).toMatchObject({ id: sampleRefund.id });
    },
  );
});

/** Fails once, and returns a row of that with another path, and the seal that anybody can make without an encryptionKey. */
async function forged(path: string, journal: Partial<JournalOptions> = {}) {
  const { store, edit, payments } = start(journal);
  service.answers(json({}, { status: 500 }));
  await failureOf(payments.refunds.create(refund, options), ServerError);
  const { data = '' } = (await store.open({ key })).claims[0] ?? {};
  const row = data.replace(/,"seal":"\w+"/, '').replace('"/v1/refunds"', JSON.stringify(path));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${key}\n${row}`));
  edit.data = () => `${row.slice(0, -1)},"seal":"${Buffer.from(hash).toString('hex')}"}`;
  return (await listOpen(payments))[0] ?? expect.fail('no operation is listed');
}

describe('a forged row', () => {
  it.each([
    '//evil.example/v1/refunds',
    '@evil.example/v1',
    'https://evil.example/',
    '/v1/../../admin',
    '/\\evil.example',
    '/v1/refunds?x=1',
    '/v1/refunds#x',
    '/v1/%2e%2e/x',
    '',
    'v1/refunds',
    '/v1/re funds',
    '/v1/\r\nx: y',
  ])('with the path %j sends nothing', async (path) => {
    const operation = await forged(path);
    await expect(operation.resume()).rejects.toMatchObject({ name: 'InvalidRequestError' });
    expect(service.arrivals).toHaveLength(1);
  });

  it('is found with an encryptionKey, whatever is in it', async () => {
    const operation = await forged('/v1/payouts', { encryptionKey });
    expect(operation.state).toBe('damaged');
    await failureOf(operation.resume(), OperationUnresolvedError);
    expect(service.arrivals).toHaveLength(1);
  });
});
