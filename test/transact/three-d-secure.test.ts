import {
  CardholderAuthenticationError,
  InvalidRequestError,
  isDecline,
  PaymentsClient,
  type SaleParams,
  Transact,
  type TransactRequestOptions,
} from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { baseUrl, securityKey, text, useMockService } from '../support/mock-service.ts';

type ThreeDSecureResult = NonNullable<SaleParams['threeDSecure']>;

const service = useMockService();
const transact = new Transact({ baseUrl, securityKey });
const sale = { amount: '12.00', payment_token: 'tok_1' };
const details = { cavv: 'AAAB', xid: 'x1', eci: '05' };
const success = { authenticated: true, cardholder_auth: 'Y', ...details };

const sent = () => Object.fromEntries(new URLSearchParams(service.arrivals[0]?.body));

async function sell(threeDSecure: ThreeDSecureResult, options?: TransactRequestOptions) {
  service.answers(text('response=1'));
  return transact.sale({ ...sale, threeDSecure }, options);
}

const refusal = (threeDSecure: ThreeDSecureResult, options?: TransactRequestOptions) =>
  failureOf(sell(threeDSecure, options), CardholderAuthenticationError);

const both = { allowFailedAuthentication: true, allowUnavailableAuthentication: true };
type Passes = keyof typeof both | 'nothing';

const results: readonly [ThreeDSecureResult, CardholderAuthenticationError['reason'], Passes][] = [
  [{ authenticated: false }, 'failed', 'allowFailedAuthentication'],
  [{ authenticated: false, cardholder_auth: null }, 'failed', 'allowFailedAuthentication'],
  [{ authenticated: false, cardholder_auth: 'N' }, 'failed', 'allowFailedAuthentication'],
  [{ authenticated: false, cardholder_auth: 'u' }, 'failed', 'allowFailedAuthentication'],
  [{ authenticated: false, cardholder_auth: 'C' }, 'unfinished', 'allowFailedAuthentication'],
  [{ authenticated: false, cardholder_auth: 'U' }, 'unavailable', 'allowUnavailableAuthentication'],
  [{ authenticated: true }, 'contradictory', 'nothing'],
  [{ authenticated: true, cardholder_auth: null, ...details }, 'contradictory', 'nothing'],
  [{ authenticated: true, cardholder_auth: '' }, 'contradictory', 'nothing'],
  [{ authenticated: true, cardholder_auth: 'N' }, 'contradictory', 'nothing'],
  [{ authenticated: true, cardholder_auth: 'U' }, 'contradictory', 'nothing'],
  [{ authenticated: true, cardholder_auth: 'y' }, 'contradictory', 'nothing'],
  [{ authenticated: true, cardholder_auth: anything(['Y']) }, 'contradictory', 'nothing'],
  [{ authenticated: false, cardholder_auth: 'Y', ...details }, 'contradictory', 'nothing'],
];

describe('a 3-D Secure result', () => {
  it('of a success is sent as its fields', async () => {
    await sell(success);
    expect(sent()).toEqual({
      security_key: securityKey,
      type: 'sale',
      ...sale,
      cardholder_auth: 'Y',
      ...details,
    });
  });

  it('may contain nulls, which are not sent', async () => {
    await sell({ authenticated: true, cardholder_auth: 'Y', cavv: null });
    expect(sent()).toEqual({ security_key: securityKey, type: 'sale', ...sale, cardholder_auth: 'Y' });
  });

  it.each(results)('%j is refused as %s before anything is sent', async (result, reason) => {
    const error = await refusal(result);
    expect(error).toMatchObject({
      name: 'CardholderAuthenticationError',
      code: 'CARDHOLDER_AUTHENTICATION',
      reason,
      outcome: 'not_executed',
      retryable: false,
    });
    expect(isDecline(error)).toBe(true);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ reason });
    expect(service.arrivals).toHaveLength(0);
  });

  it.each(results)('%j (%s) passes by %s alone', async (result, reason, passes) => {
    const { [passes as keyof typeof both]: _, ...others } = both;
    expect((await refusal(result, others)).reason).toBe(reason);
    if (passes === 'nothing') return;
    expect(await sell(result, { [passes]: true })).toMatchObject({ approved: true });
    const { authenticated: _authenticated, ...fields } = result;
    const given = Object.entries(fields).filter(([, value]) => value !== null);
    expect(sent()).toEqual({
      security_key: securityKey,
      type: 'sale',
      ...sale,
      ...Object.fromEntries(given),
    });
  });

  it('is read once, so what was checked is what is sent', async () => {
    let reads = 0;
    const changing = {
      authenticated: true,
      get cardholder_auth() {
        reads += 1;
        return reads === 1 ? 'Y' : 'N';
      },
    };
    await sell(changing);
    expect([reads, sent()['cardholder_auth']]).toEqual([1, 'Y']);
  });

  it('with a status of its own is judged by what is sent', async () => {
    const claims: object = { status: 'unavailable' };
    const error = await refusal(
      { authenticated: false, cardholder_auth: 'N', ...claims },
      { allowUnavailableAuthentication: true },
    );
    expect(error.reason).toBe('failed');
  });

  it.each<[string, CardholderAuthenticationError['reason'], ThreeDSecureResult]>([
    [
      'got a failed one, which is a high risk of fraud. Nothing was sent: ask the buyer for another card, or set allowFailedAuthentication: true.',
      'failed',
      { authenticated: false },
    ],
    [
      'got a challenge that the buyer did not finish. Nothing was sent: ask the buyer to try again, or set allowFailedAuthentication: true.',
      'unfinished',
      { authenticated: false, cardholder_auth: 'C' },
    ],
    [
      'got none, since it was not available. Nothing was sent: ask the buyer for another card, or set allowUnavailableAuthentication: true.',
      'unavailable',
      { authenticated: false, cardholder_auth: 'U' },
    ],
    [
      "got a result that contradicts itself. Nothing was sent: pass the browser's result unchanged, or ask the buyer for another card.",
      'contradictory',
      { authenticated: true, cardholder_auth: 'N-canary' },
    ],
  ])('has a message that says: %s', async (message, _reason, result) => {
    expect((await refusal(result)).message).toBe(
      `transact.sale: expected an authenticated cardholder (authenticated: true, cardholder_auth: 'Y'), ${message}`,
    );
  });

  it('that is refused is not recorded in a journal, so the same operation can be paid with another card', async () => {
    const journal = { store: memoryStore() };
    const payments = new PaymentsClient({ baseUrl, securityKey, secretKey: 'sk_v1_test_1', journal });
    const failed = { ...sale, threeDSecure: { authenticated: false, cardholder_auth: 'N' } };
    const order = { operationId: 'order-1' };
    await failureOf(payments.transact.sale(failed, order), CardholderAuthenticationError);
    service.answers(text('response=1'));
    const other = { ...sale, payment_token: 'tok_2', threeDSecure: success };
    expect(await payments.transact.sale(other, order)).toMatchObject({ approved: true });
  });

  it('is refused beside one of its own fields, or if it is not a result', async () => {
    const duplicate = await failureOf(
      transact.sale({ ...sale, threeDSecure: success, eci: '07' }),
      InvalidRequestError,
    );
    expect(duplicate.issues).toMatchObject([{ path: 'eci' }]);
    for (const threeDSecure of ['Y', {}, { authenticated: 'true', cardholder_auth: 'Y' }]) {
      const error = await failureOf(transact.sale(anything({ ...sale, threeDSecure })), InvalidRequestError);
      expect(error.issues).toMatchObject([{ path: 'threeDSecure' }]);
    }
  });
});

describe('a security code', () => {
  it.each<[string, SaleParams]>([
    ['a token', { ...sale, cvv: '012' }],
    ['a card number', { amount: '12.00', ccnumber: '4111111111111111', ccexp: '1229', cvv: '012' }],
  ])('beside %s is sent', async (_what, params) => {
    service.answers(text('response=1'));
    await transact.sale(params);
    expect(sent()).toMatchObject({ cvv: '012' });
  });
});
