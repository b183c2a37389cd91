/** The ring of encryption keys: the first writes, and all read. */

import { OperationUnresolvedError, type PaymentsClient } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { refund as sampleRefund } from '../support/fixtures.ts';
import { json } from '../support/mock-service.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import { create, failed, leaveRecords, one, read, shareStore, textsOf, two } from './rings.ts';
import { listOpen, recorded } from './shop.ts';

const service = useScriptedService();

const payOut = (payments: PaymentsClient) =>
  payments.request(
    { method: 'POST', path: '/v1/payouts', query: { to: 'acct_Ada' }, body: { note: 'for Ada' } },
    { operationId: 'o' },
  );

/** The rings of two rotations after encryption was enabled, and before it is disabled, one deploy each. */
const deploys = [
  'none',
  'plain, one',
  'one, plain',
  'one, two, plain',
  'two, one, plain',
  'two, three, one, plain',
  'three, two, one, plain',
  'plain, three, two, one',
];

describe('in a deploy', () => {
  const steps = deploys.slice(1).map((next, index) => [deploys[index] ?? '', next] as const);

  it.each(steps)('from %s to %s each process reads what the others write', async (before, after) => {
    for (const [writer, reader] of [
      [before, after],
      [after, before],
    ] as const) {
      const { program } = shareStore(service);
      const readsAll = await leaveRecords(service, program(read(writer)));
      await readsAll(program(read(reader)));
      service.arrivals.length = 0;
    }
  });
});

describe('a write', () => {
  it.each([
    ['one', 'two, one'],
    ['none', 'two, plain'],
  ])('encrypts anew what %s wrote, all of it, as %s does', async (writer, rewriter) => {
    const { store, program } = shareStore(service);
    service.answers(failed(), failed(), json({ id: 'po_1' }));
    await payOut(program(read(writer))).catch(() => undefined);
    await payOut(program(read(rewriter))).catch(() => undefined);
    for (const text of ['for Ada', 'acct_Ada']) expect(await textsOf(store)).not.toContain(text);
    const [operation] = await listOpen(program(two));
    expect(await operation?.resume()).toEqual({ id: 'po_1' });
    expect(new Set(service.arrivals.map(({ url, body }) => url + body)).size).toBe(1);
    expect(await payOut(program(two))).toEqual(recorded({ id: 'po_1' }));
    expect(service.arrivals).toHaveLength(3);
  });

  it('in plain decrypts all of it', async () => {
    const { store, program } = shareStore(service);
    service.answers(failed());
    await payOut(program(one)).catch(() => undefined);
    await payOut(program(['plain', one])).catch(() => undefined);
    for (const text of ['for Ada', 'acct_Ada']) expect(await textsOf(store)).toContain(text);
  });
});

describe('a record in plain', () => {
  it('is refused without plain in the ring, since it may be forged, and the error says what to do', async () => {
    const { program } = shareStore(service);
    service.answers(failed());
    await create(program(undefined), 'o').catch(() => undefined);
    const error = await failureOf(create(program([one, two]), 'o'), OperationUnresolvedError);
    expect(error.message).toBe(
      "refunds.create: expected an encrypted record, got one in plain. Nothing was sent: if it is older than your encryption, add 'plain' to encryptionKey and run journal.reencrypt(). Otherwise it is forged.",
    );
    const [operation] = await listOpen(program([one, two]));
    expect(operation?.state).toBe('damaged');
    await expect(operation?.resume()).rejects.toThrow('got one in plain');
    expect(service.arrivals).toHaveLength(1);
  });
});

describe('encryptionKey', () => {
  it.each<[what: string, ring: unknown, path: string, expected: string]>([
    ['a short text', 'short', 'encryptionKey', "base64 of 32 bytes, or 'plain'"],
    ['a number', 7, 'encryptionKey', "base64 of 32 bytes, or 'plain'"],
    ['an empty ring', [], 'encryptionKey', 'one key or more, each of them once'],
    ['a ring with a key twice', [one, two, one], 'encryptionKey', 'one key or more, each of them once'],
    ['a ring with a hole', [one, undefined], 'encryptionKey[1]', "base64 of 32 bytes, or 'plain'"],
    ['a key with a blank', [`${one} `, one], 'encryptionKey[0]', "base64 of 32 bytes, or 'plain'"],
  ])('%s is refused, and not repeated', (_what, ring, path, expected) => {
    const make = () => createJournal({ store: memoryStore(), encryptionKey: anything(ring) });
    expect(make).toThrow(`createJournal.${path}: expected ${expected}, got `);
    for (const key of [one, 'short']) expect(make).not.toThrow(key);
  });

  it('is read once', async () => {
    const { program } = shareStore(service);
    const values = [one, 'short'].values();
    const ring = Object.defineProperty([one], 0, { get: () => values.next().value });
    const payments = program(ring);
    service.answers(json(sampleRefund));
    await create(payments, 'o');
    expect(await create(program(one), 'o')).toEqual(recorded(sampleRefund));
  });
});
