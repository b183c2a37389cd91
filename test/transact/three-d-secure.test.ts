import {
  CardholderAuthenticationError,
  InvalidRequestError,
  isDecline,
  PaymentsClient,
  type SaleParams,
  type TransactRequestOptions,
} from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { sale, securityKey, startEndpoint } from './endpoint.ts';

type ThreeDSecureResult = NonNullable<SaleParams['threeDSecure']>;

const details = { cavv: 'AAAB', xid: 'x1', eci: '05' };
const success = { authenticated: true, cardholder_auth: 'Y', ...details };
const plain = { security_key: securityKey, type: 'sale', ...sale };

function start(threeDSecure: ThreeDSecureResult, options?: TransactRequestOptions) {
  const { transact, sent } = startEndpoint();
  return { sent, sell: () => transact.sale({ ...sale, threeDSecure }, options) };
}

/** Returns the refusal of a result, after checking that nothing was sent. */
async function refusal(result: ThreeDSecureResult, options?: TransactRequestOptions) {
  const { sell, sent } = start(result, options);
  const error = await failureOf(sell(), CardholderAuthenticationError);
  expect(sent()).toEqual([]);
  return error;
}

type Option = 'allowFailedAuthentication' | 'allowUnavailableAuthentication';
const options: readonly Option[] = ['allowFailedAuthentication', 'allowUnavailableAuthentication'];

const results: readonly [ThreeDSecureResult, CardholderAuthenticationError['reason'], Option | 'nothing'][] =
  [
    [{ authenticated: false }, 'failed', 'allowFailedAuthentication'],
    [{ authenticated: false, cardholder_auth: null, eci: '07' }, 'failed', 'allowFailedAuthentication'],
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

/** What a person is told to do. */
const advice: Readonly<Record<CardholderAuthenticationError['reason'], RegExp>> = {
  failed: /high risk of fraud.+for another card, or set allowFailedAuthentication: true\.$/,
  unfinished: /did not finish.+try again, or set allowFailedAuthentication: true\.$/,
  unavailable: /not available.+for another card, or set allowUnavailableAuthentication: true\.$/,
  contradictory: /contradicts itself.+unchanged, or ask the buyer for another card\.$/,
};

describe('a 3-D Secure result', () => {
  it('of a success is sent as its fields', async () => {
    const { sell, sent } = start(success);
    await sell();
    expect(sent()).toEqual([{ ...plain, cardholder_auth: 'Y', ...details }]);
  });

  it.each([null, undefined])('may have fields that are %j, which are not sent', async (cavv) => {
    const { sell, sent } = start({ authenticated: true, cardholder_auth: 'Y', cavv });
    await sell();
    expect(sent()).toEqual([{ ...plain, cardholder_auth: 'Y' }]);
  });

  it.each(results)('%j is refused as %s, and passes by %s alone', async (result, reason, passes) => {
    const error = await refusal(result);
    expect(error).toMatchObject({
      code: 'CARDHOLDER_AUTHENTICATION',
      reason,
      outcome: 'not_executed',
      retryable: false,
    });
    expect(error.message).toMatch(/^transact\.sale: .+\. Nothing was sent: /);
    expect(error.message).toMatch(advice[reason]);
    expect(isDecline(error)).toBe(true);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ reason });

    const others = options.filter((option) => option !== passes).map((option) => [option, true]);
    expect((await refusal(result, Object.fromEntries(others))).reason).toBe(reason);
    if (passes === 'nothing') return;
    expect((await refusal(result, { [passes]: false })).reason).toBe(reason);
    const { sell, sent } = start(result, { [passes]: true });
    expect(await sell()).toMatchObject({ approved: true });
    const { authenticated: _authenticated, ...fields } = result;
    const given = Object.entries(fields).filter(([, value]) => value !== null);
    expect(sent()).toEqual([{ ...plain, ...Object.fromEntries(given) }]);
  });

  it('is read once, so what was checked is what is sent', async () => {
    let reads = 0;
    const { sell, sent } = start({
      authenticated: true,
      get cardholder_auth() {
        reads += 1;
        return reads === 1 ? 'Y' : 'N';
      },
    });
    await sell();
    expect([reads, sent()[0]?.['cardholder_auth']]).toEqual([1, 'Y']);
  });

  it('with a status of its own is judged by what is sent, and its message repeats no value', async () => {
    const result = { authenticated: false, cardholder_auth: 'N-canary', status: 'unavailable' };
    const error = await refusal(result, { allowUnavailableAuthentication: true });
    expect(error.reason).toBe('failed');
    expect(error.message).not.toContain('canary');
  });

  it('that is refused is not recorded in a journal, so the same operation can be paid with another card', async () => {
    const endpoint = startEndpoint();
    const given = {
      ...endpoint.options,
      secretKey: 'sk_v1_test_1',
      journal: createJournal({ store: memoryStore() }),
    };
    const { transact } = new PaymentsClient(given);
    const failed = { ...sale, threeDSecure: { authenticated: false, cardholder_auth: 'N' } };
    const order = { operationId: 'order-1' };
    await failureOf(transact.sale(failed, order), CardholderAuthenticationError);
    const other = { ...sale, payment_token: 'tok_2', threeDSecure: success };
    expect(await transact.sale(other, order)).toMatchObject({ approved: true });
    expect(endpoint.sent()).toMatchObject([{ payment_token: 'tok_2' }]);
  });

  it.each<[what: string, path: string, params: object]>([
    ...Object.keys({ cardholder_auth: 'Y', ...details }).map((field): [string, string, object] => [
      `beside its own field ${field}`,
      field,
      { threeDSecure: success, [field]: '07' },
    ]),
    ['if it is text', 'threeDSecure', { threeDSecure: 'Y' }],
    ['if it is null', 'threeDSecure', { threeDSecure: null }],
    ['if it is empty', 'threeDSecure', { threeDSecure: {} }],
    ['if it says no true or false', 'threeDSecure', { threeDSecure: { ...success, authenticated: 'true' } }],
  ])('is refused %s', async (_what, path, params) => {
    const { transact, bodies } = startEndpoint('response=1', { validation: 'off' });
    const error = await failureOf(transact.sale(anything({ ...sale, ...params })), InvalidRequestError);
    expect(error.issues).toMatchObject([{ path }]);
    expect(bodies).toEqual([]);
  });
});
