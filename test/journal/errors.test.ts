import {
  type JournalOptions,
  OperationMismatchError,
  OperationSettledError,
  OperationUnresolvedError,
  ServerError,
} from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { createClient, json, text, useMockService } from '../support/mock-service.ts';
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

describe('a recorded result that cannot be returned', () => {
  it('names the encryptionKey as the cause', async () => {
    const start = startProgram();
    service.answers(json({ id: 'po_1' }));
    await start({ encryptionKey }).request(payout, options);
    const again = start({ encryptionKey: otherKey }).request(payout, options);
    const error = await failureOf(again, OperationSettledError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(error.message).toBe(
      'POST /v1/payouts: expected a recorded result, got one that the encryptionKey cannot decrypt. This call sent nothing: repeat it with the encryptionKey of the first call.',
    );
    expect(await start({ encryptionKey }).request(payout, options)).toEqual({ id: 'po_1' });
  });

  it('does not say that a declined sale took effect', async () => {
    const start = startProgram();
    service.answers(text('response=2&responsetext=DECLINE'));
    const sale = { amount: '12.00', payment_token: 'tok_1' };
    expect((await start({ encryptionKey }).transact.sale(sale, options)).approved).toBe(false);
    const again = start({ encryptionKey: otherKey }).transact.sale(sale, options);
    expect((await failureOf(again, OperationSettledError)).outcome).toBe('unknown');
  });

  it('names its length as the cause', async () => {
    const payments = startProgram()();
    service.answers(json({ text: 'x'.repeat(950_000) }));
    await payments.request(payout, options);
    const error = await failureOf(payments.request(payout, options), OperationSettledError);
    expect(error.outcome).toBe('unknown');
    expect(error.message).toContain('but it was too long to record. This call sent nothing: look up');
    expect(service.arrivals).toHaveLength(1);
  });

  it.each([undefined, { id: 'po_1' }])(
    'was executed if a person closed it so, with result %j',
    async (result) => {
      const start = startProgram();
      service.answers(json({}, { status: 500 }));
      await failureOf(start({ encryptionKey }).request(payout, options), ServerError);
      const [operation] = await listOpen(start({ encryptionKey }));
      await operation?.settle({ outcome: 'executed', result });
      const again = start({ encryptionKey: otherKey }).request(payout, options);
      const error = await failureOf(again, OperationSettledError);
      expect(error.outcome).toBe('executed');
      expect(error.message.includes('closed manually as executed')).toBe(result === undefined);
    },
  );
});

describe('an operation whose parameters cannot be sent again', () => {
  const message =
    'refunds.create: expected its parameters, but they were not kept or cannot be decrypted. Nothing was sent: repeat the call itself.';
  const refund = { charge_id: 'ch_1' };

  it.each([
    ['another encryptionKey', { encryptionKey: otherKey }],
    ['no encryptionKey', { encryptionKey: undefined }],
  ])('is not resumed with %s, though it was only planned', async (_, journal) => {
    const start = startProgram();
    await start({ encryptionKey }).journal.plan().refunds.create(refund, options);
    const [operation] = await listOpen(start(journal));
    expect(await failureOf(operation?.resume() ?? Promise.resolve(), OperationUnresolvedError)).toMatchObject(
      {
        message,
      },
    );
    expect(service.arrivals).toEqual([]);
  });

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

it('advises to look at the first call before another operationId is chosen', async () => {
  const payments = startProgram()();
  service.answers(json({}));
  await payments.request(payout, options);
  const other = payments.request({ ...payout, body: { amount: 6 } }, options);
  expect((await failureOf(other, OperationMismatchError)).message).toBe(
    'POST /v1/payouts: expected the parameters of the first call with this operationId, got another amount. Nothing was sent: look at what the first call did before you choose another operationId.',
  );
});
