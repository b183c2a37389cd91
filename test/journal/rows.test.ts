/** A row of the store that was moved, damaged or forged is never acted on, and sends no credential elsewhere. */

import { OperationUnresolvedError, ServerError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refund as sampleRefund } from '../support/fixtures.ts';
import { createClient, json, useMockService } from '../support/mock-service.ts';
import type { ClaimStore } from '../support/stores.ts';
import { listOpen, options } from './shop.ts';

const service = useMockService();
const encryptionKey = Buffer.alloc(32, 1).toString('base64');
const refund = { charge_id: 'ch_1' };

/** A store in which the test edits what is read. */
function editableStore() {
  const store = memoryStore();
  let edit = (data: string) => data;
  const edited: ClaimStore = {
    claim: async (...args) => {
      const claim = await store.claim(...args);
      return claim.data === undefined ? claim : { ...claim, data: edit(claim.data) };
    },
    open: async (query) => {
      const page = await store.open(query);
      return { ...page, claims: page.claims.map((row) => ({ ...row, data: edit(row.data) })) };
    },
    renew: (...args) => store.renew(...args),
    complete: (...args) => store.complete(...args),
    release: (...args) => store.release(...args),
  };
  return {
    store: edited,
    setEdit: (next: (data: string) => string) => {
      edit = next;
    },
  };
}

const edits: readonly [what: string, (data: string) => string][] = [
  ['another result', (data) => data.replace('rf_', 'rf_x')],
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

describe.each([
  ['in plain', {}],
  ['encrypted', { encryptionKey }],
])('a row %s', (_how, journal) => {
  it.each(edits)('with %s is neither sent nor returned', async (_what, edit) => {
    const { store, setEdit } = editableStore();
    const payments = createClient({ maxRetries: 0, journal: { store, ...journal } });
    service.answers(json(sampleRefund));
    await payments.refunds.create(refund, options);
    const changed: string[] = [];
    setEdit((data) => {
      const next = edit(data);
      if (next !== data) changed.push(next);
      return next;
    });
    const again = payments.refunds.create(refund, options);
    // Encryption hides some of the texts that the edits look for.
    await Promise.resolve(again).catch(() => {});
    if (changed.length > 0) await failureOf(again, OperationUnresolvedError);
    else expect(await again).toEqual(sampleRefund);
    expect(service.arrivals).toHaveLength(1);
    setEdit((data) => data);
    expect(await payments.refunds.create(refund, options)).toEqual(sampleRefund);
  });

  it('that belongs to another key is not returned', async () => {
    const { store, setEdit } = editableStore();
    const payments = createClient({ maxRetries: 0, journal: { store, ...journal } });
    service.answers(json(sampleRefund));
    await payments.refunds.create(refund, options);
    const { data = '' } = await store.claim('operation/pc1:refunds.create:order-1042', 1000);
    setEdit(() => data);
    await failureOf(payments.refunds.create(refund, { operationId: 'order-7' }), OperationUnresolvedError);
    expect(service.arrivals).toHaveLength(1);
  });
});

/** Seals a row again, as anybody can who knows the key of the row and writes to a store without an encryptionKey. */
async function sealed(key: string, json: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${key}\n${json}`));
  return `${json.slice(0, -1)},"seal":"${Buffer.from(bytes).toString('hex')}"}`;
}

const key = 'operation/pc1:refunds.create:order-1042';

/** A service that failed once, and a row of it with another path and a right seal. */
async function forged(path: string, journal = {}) {
  const { store, setEdit } = editableStore();
  const payments = createClient({ maxRetries: 0, journal: { store, ...journal } });
  service.answers(json({}, { status: 500 }));
  await failureOf(payments.refunds.create(refund, options), ServerError);
  const { claims } = await store.open({ space: 'operation', limit: 1 });
  const text =
    claims[0]?.data.replace(/,"seal":"\w+"/, '').replace('"/v1/refunds"', JSON.stringify(path)) ?? '';
  const row = await sealed(key, text);
  setEdit(() => row);
  const [operation] = await listOpen(payments);
  return operation;
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
    await expect(operation?.resume()).rejects.toMatchObject({ name: 'InvalidRequestError' });
    expect(service.arrivals).toHaveLength(1);
  });

  it('is found with an encryptionKey, whatever is in it', async () => {
    const operation = await forged('/v1/payouts', { encryptionKey });
    expect(operation?.state).toBe('damaged');
    await failureOf(operation?.resume() ?? Promise.resolve(), OperationUnresolvedError);
    expect(service.arrivals).toHaveLength(1);
  });
});
