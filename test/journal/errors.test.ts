import {
  type JournalOptions,
  OperationMismatchError,
  OperationUnresolvedError,
  PaymentsError,
  ServerError,
} from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { createClient, json, useMockService } from '../support/mock-service.ts';
import { listOpen, options } from './shop.ts';

const service = useMockService();
const encryptionKey = Buffer.alloc(32, 1).toString('base64');
const otherKey = Buffer.alloc(32, 2).toString('base64');
const payout = { method: 'POST', path: '/v1/payouts', body: { amount: 5 } } as const;

/** A program whose restarts share the journal's store. */
function startProgram() {
  const store = memoryStore();
  return (journal: Partial<JournalOptions> = {}) =>
    createClient({ maxRetries: 0, journal: { store, ...journal } });
}

describe('a record that another encryptionKey wrote', () => {
  const message =
    'refunds.create: expected a record as the journal wrote it, got one that was changed, moved, or written with another encryptionKey. Nothing was sent: restore the encryptionKey or the record. If you cannot, look the operation up, then delete the record.';
  const refund = { charge_id: 'ch_1' };

  it('gives no result, and nothing is sent, until the key is right', async () => {
    const start = startProgram();
    service.answers(json({ id: 'po_1' }));
    await start({ encryptionKey }).request(payout, options);
    const again = start({ encryptionKey: otherKey }).request(payout, options);
    const error = await failureOf(again, OperationUnresolvedError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(error.message).toBe(message.replace('refunds.create', 'POST /v1/payouts'));
    expect(await start({ encryptionKey }).request(payout, options)).toEqual({ id: 'po_1' });
    expect(service.arrivals).toHaveLength(1);
  });

  it.each([
    ['another encryptionKey', { encryptionKey: otherKey }],
    ['no encryptionKey', { encryptionKey: undefined }],
  ])('is neither resumed nor settled with %s, and stays as it is', async (_, journal) => {
    const start = startProgram();
    await start({ encryptionKey }).journal.plan().refunds.create(refund, options);
    const [operation] = await listOpen(start(journal));
    expect(operation?.state).toBe('damaged');
    const resumed = operation?.resume() ?? Promise.resolve();
    expect((await failureOf(resumed, OperationUnresolvedError)).message).toBe(message);
    await expect(operation?.settle({ outcome: 'executed' })).rejects.toThrow('whose record is damaged');
    expect(service.arrivals).toEqual([]);
    service.answers(json({ id: 'rf_1' }));
    const [own] = await listOpen(start({ encryptionKey }));
    expect(await own?.resume()).toMatchObject({ id: 'rf_1' });
  });
});

describe('a recorded result that cannot be returned', () => {
  it('names its length as the cause', async () => {
    const payments = startProgram()();
    service.answers(json({ text: 'x'.repeat(950_000) }));
    await payments.request(payout, options);
    const error = await failureOf(payments.request(payout, options), PaymentsError);
    expect(error).toMatchObject({ code: 'OPERATION_SETTLED', outcome: 'unknown', retryable: false });
    expect(error.message).toContain('but it was too long to record. This call sent nothing: look up');
    expect(service.arrivals).toHaveLength(1);
  });

  it('was executed if a person closed it so, without a result', async () => {
    const payments = startProgram()();
    service.answers(json({}, { status: 500 }));
    await failureOf(payments.request(payout, options), ServerError);
    const [operation] = await listOpen(payments);
    await operation?.settle({ outcome: 'executed' });
    const error = await failureOf(payments.request(payout, options), PaymentsError);
    expect(error).toMatchObject({ code: 'OPERATION_SETTLED', outcome: 'executed', retryable: false });
    expect(error.message).toContain('closed manually as executed');
  });
});

describe('an operation whose parameters cannot be sent again', () => {
  it('is not resumed from a digest, and the call itself sends it', async () => {
    const payments = startProgram()({ contents: 'digest' });
    service.answers(json({}, { status: 500 }), json({ id: 're_1' }));
    await failureOf(payments.request(payout, options), ServerError);
    const [operation] = await listOpen(payments);
    await expect(operation?.resume()).rejects.toThrow('repeat the call itself');
    expect(service.arrivals).toHaveLength(1);
    expect(await payments.request(payout, options)).toEqual({ id: 're_1' });
  });
});

it('says that the first call has a result, before another operationId is chosen', async () => {
  const payments = startProgram()();
  service.answers(json({}));
  await payments.request(payout, options);
  const other = payments.request({ ...payout, body: { amount: 6 } }, options);
  expect((await failureOf(other, OperationMismatchError)).message).toBe(
    'POST /v1/payouts: expected the parameters of the first call with this operationId, got another field. Nothing was sent: the first call was executed. Call again with its parameters to get its result.',
  );
});
