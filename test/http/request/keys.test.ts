/** Which idempotency key a call carries: that of its operation in a scope, or one of its own. */

import { ConfigurationError, ConnectionError, PaymentsError } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { customer, intentParams, paymentIntent, saleParams } from '../../support/fixtures.ts';
import { json, skipBackOff, text } from '../../support/mock-service.ts';
import { useScriptedService } from '../../support/scripted-service.ts';

const service = useScriptedService();
const by = { operationId: 'order-1042' };
const keys = () => service.arrivals.map(({ headers }) => headers.get('idempotency-key'));
const lost = () => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('read'), { code: 'ECONNRESET' }) });
};

describe('operationScope', () => {
  it('is part of each derived key, and of no given one', async () => {
    const { paymentIntents } = service.createClient({ operationScope: 'shop 1' });
    service.answers(json(paymentIntent));
    await paymentIntents.create(intentParams, by);
    await paymentIntents.create(intentParams, { idempotencyKey: 'mine' });
    expect(keys()).toEqual(['pc1s:shop~00201:paymentIntents.create:order-1042', 'mine']);
  });

  it('separates the operations of a journal, where settle finds them', async () => {
    const store = memoryStore();
    const open = (operationScope: string) =>
      service.createClient({ operationScope, journal: createJournal({ store }) });
    service.answers(lost, text('response=1&responsetext=OK&transactionid=t2'));
    await failureOf(open('one').transact.sale(saleParams, by), ConnectionError);
    expect(await open('two').transact.sale(saleParams, by)).toMatchObject({ transactionid: 't2' });
    await open('one').journal.settle('order-1042', { operation: 'transact.sale', outcome: 'executed' });
    const error = await failureOf(open('one').transact.sale(saleParams, by), PaymentsError);
    expect(error).toMatchObject({ outcome: 'executed', code: 'OPERATION_SETTLED' });
  });

  it.each(['', ' ', 7])('%j is refused', (operationScope) => {
    expect(() => service.createClient({ operationScope: anything(operationScope) })).toThrow(
      ConfigurationError,
    );
  });
});

describe('a POST that moves no money and has no name', () => {
  it('keeps one key over its retries, and gets another one with the next call', async () => {
    skipBackOff();
    const { customers } = service.createClient({ maxRetries: 1 });
    service.answers(lost, json(customer));
    expect(await customers.create({})).toEqual(customer);
    await customers.create({});
    const [first, second, third] = keys();
    expect(first).toMatch(/^pc1r:[\da-f-]{36}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('ends in doubt if no reply comes, and says how to ask again with its key', async () => {
    const { customers } = service.createClient();
    service.answers(lost, json(customer));
    const error = await failureOf(customers.create({}), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(error.message).toContain('call again with { idempotencyKey: error.idempotencyKey }');
    await customers.create({}, { idempotencyKey: error.idempotencyKey ?? expect.fail('no key') });
    const [first, second] = keys();
    expect(second).toBe(first);
  });

  it('may be repeated as it is if nothing was sent or done', async () => {
    const { customers } = service.createClient();
    service.answers(json({}, { status: 429 }));
    expect(await failureOf(customers.create({}), PaymentsError)).toMatchObject({
      outcome: 'not_executed',
      retryable: true,
    });
  });

  it.each(['PUT', 'PATCH'] as const)(
    'other than a %s, whose key the service is not shown to know',
    async (method) => {
      const payments = service.createClient({ maxRetries: 1 });
      service.answers(lost, json({}));
      const call = payments.request({ method, path: '/v1/payouts/1', movesMoney: false });
      expect(await failureOf(call, ConnectionError)).toMatchObject({ outcome: 'unknown', retryable: false });
      expect(keys()).toEqual([null]);
    },
  );
});
