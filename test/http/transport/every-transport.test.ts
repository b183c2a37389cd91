/** One contract for everything that may carry a request. What received a request may have acted, whatever the state of its connection. */

import {
  ApiError,
  ConnectionError,
  PaymentsClient,
  RequestAbortedError,
  ServerError,
  TimeoutError,
} from 'payments-client';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams, saleParams } from '../../support/fixtures.ts';
import { skipBackOff } from '../../support/mock-service.ts';
import { type Arrival, networks, type Reaction } from './networks.ts';
import { keys, operation } from './support.ts';

describe.each(networks)('over %s', (_name, startNetwork) => {
  let arrivals: Arrival[];

  beforeEach(skipBackOff);

  /** A client whose requests get these reactions in order, the last one again and again. */
  async function start(...reactions: readonly (Reaction | (() => Reaction))[]): Promise<PaymentsClient> {
    arrivals = [];
    const options = await startNetwork((arrival) => {
      arrivals.push(arrival);
      const next = reactions[Math.min(arrivals.length, reactions.length) - 1];
      if (next === undefined) throw new Error('expected a reaction');
      return typeof next === 'function' ? next() : next;
    });
    return new PaymentsClient({ ...keys, allowInsecure: true, ...options });
  }

  const created = { status: 201, body: JSON.stringify(refund), headers: { 'x-request-id': 'req_1' } };
  const approved = { status: 200, body: 'response=1&transactionid=7' };

  it('a POST arrives once, as it was described, and its response is whole', async () => {
    const { refunds } = await start(created);
    const { data, response } = await refunds.create(refundParams, operation).withResponse();
    expect(data).toEqual(refund);
    expect(response).toMatchObject({ status: 201, requestId: 'req_1', attempts: 1 });
    expect(response.headers.get('x-request-id')).toBe('req_1');
    expect(arrivals).toMatchObject([
      {
        method: 'POST',
        path: '/v1/refunds',
        body: JSON.stringify(refundParams),
        headers: {
          authorization: `Bearer ${keys.secretKey}`,
          'idempotency-key': 'pc1:refunds.create:order-1',
          'content-type': 'application/json',
        },
      },
    ]);
  });

  it('a GET arrives without a body and without a key', async () => {
    const { refunds } = await start({ ...created, status: 200 });
    expect(await refunds.retrieve('rf_1')).toEqual(refund);
    expect(arrivals).toMatchObject([{ method: 'GET', path: '/v1/refunds/rf_1', body: '' }]);
    expect(arrivals[0]?.headers).not.toHaveProperty('idempotency-key');
    expect(arrivals[0]?.headers).not.toHaveProperty('content-type');
  });

  it('a sale arrives once, with its credential in the form alone', async () => {
    const { transact } = await start(approved);
    expect(await transact.sale(saleParams)).toMatchObject({ approved: true, transactionid: '7' });
    expect(arrivals).toMatchObject([{ method: 'POST', path: '/api/transact.php' }]);
    const sent = Object.fromEntries(new URLSearchParams(arrivals[0]?.body));
    expect(sent).toEqual({ ...saleParams, type: 'sale', security_key: keys.securityKey });
    expect(arrivals[0]?.headers).not.toHaveProperty('authorization');
  });

  it('a lost reply leaves a sale unknown, and sent once', async () => {
    const { transact } = await start('lose the reply');
    const error = await failureOf(transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false, attempts: 1 });
    expect(arrivals).toHaveLength(1);
  });

  it('a lost reply to a call with a key is asked for again, with the same key and bytes', async () => {
    const { refunds } = await start('lose the reply', created);
    const { response } = await refunds.create(refundParams, operation).withResponse();
    expect(response.attempts).toBe(2);
    expect(arrivals).toHaveLength(2);
    expect(arrivals[1]).toEqual(arrivals[0]);
  });

  it('a missing reply leaves a sale unknown, and sent once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { transact } = await start(() => {
      // The time-out elapses as soon as the request has arrived.
      vi.advanceTimersByTime(30_000);
      return 'never reply';
    });
    const error = await failureOf(transact.sale(saleParams), TimeoutError);
    expect(error).toMatchObject({ code: 'ATTEMPT_TIMEOUT', outcome: 'unknown', attempts: 1 });
    expect(arrivals).toHaveLength(1);
  });

  it('an abort after the arrival leaves a sale unknown', async () => {
    const controller = new AbortController();
    const { transact } = await start(() => {
      controller.abort();
      return 'never reply';
    });
    const sale = transact.sale(saleParams, { signal: controller.signal });
    expect(await failureOf(sale, RequestAbortedError)).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(arrivals).toHaveLength(1);
  });

  it('a failure of the service leaves a sale unknown, and sent once', async () => {
    const { transact } = await start({ status: 503, body: '{"message":"later"}' });
    const error = await failureOf(transact.sale(saleParams), ServerError);
    expect(error).toMatchObject({ status: 503, outcome: 'unknown', body: { message: 'later' }, attempts: 1 });
    expect(arrivals).toHaveLength(1);
  });

  it('a redirect is not followed, so that nobody else gets the credentials', async () => {
    const redirect = { status: 307, body: '', headers: { location: '/elsewhere' } };
    const { refunds } = await start(redirect, created);
    const error = await failureOf(refunds.create(refundParams, operation), ApiError);
    expect(error).toMatchObject({ status: 307, outcome: 'unknown', attempts: 1 });
    expect(arrivals).toHaveLength(1);
  });
});
