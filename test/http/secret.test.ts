import { inspect } from 'node:util';
import {
  ConfigurationError,
  type PaymentsClientOptions,
  RequestAbortedError,
  TimeoutError,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refund, refundParams } from '../support/fixtures.ts';
import { createClient, json, secretKey, useMockService } from '../support/mock-service.ts';

const withKey = { idempotencyKey: 'return-1' };

type Service = PaymentsClientOptions['fetch'];

const resetConnection: Service = () =>
  Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));

describe('a key provider', () => {
  const neverSettles = () => new Promise<string>(() => {});

  it('that never settles ends with the time-out of the call', async () => {
    const { refunds } = createClient({ secretKey: neverSettles, totalTimeout: 20, fetch: resetConnection });
    const error = await failureOf(refunds.create(refundParams, withKey), TimeoutError);
    expect(error.message).toBe(
      'No value from secretKey() within 20 ms (totalTimeout; 30 s is 30_000). No money moved by this call. refunds.create: 0 attempts.',
    );
  });

  it('that never settles ends with the signal of the call', async () => {
    const { refunds } = createClient({ secretKey: neverSettles, fetch: resetConnection });
    const controller = new AbortController();
    const call = refunds.create(refundParams, { ...withKey, signal: controller.signal });
    controller.abort('closed');
    const error = await failureOf(call, RequestAbortedError);
    expect(error).toMatchObject({ cause: 'closed', attempts: 0, outcome: 'not_executed' });
  });
});

const service = useMockService();
const order = { operationId: 'order-1' };

describe('a key from a function', () => {
  it('is requested before each call', async () => {
    service.answers(json(refund));
    let number = 0;
    const payments = createClient({ secretKey: async () => `sk_v1_test_${++number}` });
    await payments.refunds.retrieve('rf_1');
    await payments.refunds.retrieve('rf_1');
    const sent = service.arrivals.map(({ headers }) => headers.get('authorization'));
    expect(sent).toEqual(['Bearer sk_v1_test_1', 'Bearer sk_v1_test_2']);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error(`vault down for ${secretKey}`)), 'a failure'],
    ['returns nothing', () => Promise.resolve(undefined as never), 'something else'],
    ['returns a line break', () => 'sk_v1_test_1\n', 'was it copied whole?'],
  ])('that %s ends the call before a request is sent', async (_what, provider, received) => {
    const error = await failureOf(
      createClient({ secretKey: provider }).refunds.retrieve('rf_1'),
      ConfigurationError,
    );
    expect(error.message).toContain(received);
    expect(inspect(error)).not.toContain(secretKey);
    expect(service.arrivals).toHaveLength(0);
  });

  it('that never settles ends with the time-out of the call', async () => {
    const payments = createClient({ secretKey: () => new Promise<string>(() => {}), totalTimeout: 20 });
    const error = await failureOf(payments.refunds.create(refundParams, order), TimeoutError);
    expect(error).toMatchObject({ code: 'TOTAL_TIMEOUT', outcome: 'not_executed', attempts: 0 });
  });
});
