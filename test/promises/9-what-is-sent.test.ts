/** Promise 9: what was checked is what is sent, and a record of the journal belongs to one account. */

import { InvalidRequestError, OperationAccountError, PaymentsClient } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent } from '../support/fixtures.ts';
import { json, ok, wireClient, wireService } from './wire.ts';

const by = { operationId: 'order-1042' };

const bodyOf = (request = '') => request.slice(request.indexOf('\r\n\r\n') + 4);

describe('the parameters of a call', () => {
  it('are read once: later changes, getters and functions have no effect', async () => {
    const { payments, requests } = await wireClient(json('503 Unavailable', {}), ok(paymentIntent));
    let reads = 0;
    const params = {
      currency: 'usd',
      metadata: { order: '1042' },
      get amount() {
        reads += 1;
        return reads === 1 ? 1200 : 999_999;
      },
    };
    const call = payments.paymentIntents.create(params, by);
    params.currency = 'eur';
    params.metadata.order = 'another';
    await call;
    expect(reads).toBe(1);
    expect(requests).toHaveLength(2);
    for (const request of requests) {
      expect(JSON.parse(bodyOf(request))).toEqual({
        amount: 1200,
        currency: 'usd',
        metadata: { order: '1042' },
      });
    }
  });

  it.each<[what: string, more: object, path: string]>([
    ['a name of another SDK', { confirm: true }, 'confirm'],
    ['an amount that is not an integer', { amount: 12.5 }, 'amount'],
    ['an amount of text', { amount: '1200' }, 'amount'],
  ])('with %s are refused, with nothing sent', async (_what, more, path) => {
    const { payments, requests } = await wireClient(ok(paymentIntent));
    const call = payments.paymentIntents.create({ ...intentParams, ...more }, by);
    const error = await failureOf(call, InvalidRequestError);
    expect(error).toMatchObject({ outcome: 'not_executed', issues: [{ path }] });
    expect(requests).toEqual([]);
  });
});

describe('a record of the journal', () => {
  it('of one merchant is never given to another who shares the store', async () => {
    const store = memoryStore();
    const first = await wireService(ok(paymentIntent));
    const other = await wireService(ok({ ...paymentIntent, id: 'pi_2' }));
    const clientOf = (options: typeof first.options, secretKey: string) =>
      new PaymentsClient({ ...options, secretKey, journal: createJournal({ store }) });
    const ours = await clientOf(first.options, 'sk_v1_test_ours').paymentIntents.create(intentParams, by);
    expect(ours.id).toBe('pi_1');
    const theirs = clientOf(first.options, 'sk_v1_test_theirs').paymentIntents.create(intentParams, by);
    await failureOf(theirs, OperationAccountError);
    const live = clientOf(other.options, 'sk_v1_live_ours').paymentIntents.create(intentParams, by);
    await failureOf(live, OperationAccountError);
    expect([first.requests.length, other.requests.length]).toEqual([1, 0]);
  });

  it('of an account that both name is given to each key of that account', async () => {
    const { options, requests } = await wireService(ok(paymentIntent));
    const journal = createJournal({ store: memoryStore(), account: 'shop-1-test' });
    for (const secretKey of ['sk_v1_test_old', 'sk_v1_test_new']) {
      const payments = new PaymentsClient({ ...options, secretKey, journal });
      expect(await payments.paymentIntents.create(intentParams, by)).toMatchObject({ id: 'pi_1' });
    }
    // The second key only asks for the object as it is now.
    expect(requests.map((request) => request.split(' ')[0])).toEqual(['POST', 'GET']);
  });
});
