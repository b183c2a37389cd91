import { InvalidRequestError, Transact } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { baseUrl, securityKey, text, useMockService } from '../support/mock-service.ts';

const service = useMockService();
const transact = new Transact({ baseUrl, securityKey });
const token = { payment_token: 'tok_1' };
const sale = { amount: '12.00', ...token };

describe('a 3-D Secure result', () => {
  const result = { authenticated: true, cardholder_auth: 'Y', cavv: 'AAAB', xid: 'x1', eci: '05' };
  const sent = () => Object.fromEntries(new URLSearchParams(service.arrivals[0]?.body));

  it('is sent as its fields', async () => {
    service.answers(text('response=1'));
    await transact.sale({ ...sale, threeDSecure: result });
    expect(sent()).toEqual({
      security_key: securityKey,
      type: 'sale',
      ...sale,
      cardholder_auth: 'Y',
      cavv: 'AAAB',
      xid: 'x1',
      eci: '05',
    });
  });

  it('may contain nulls, which are not sent', async () => {
    service.answers(text('response=1'));
    await transact.sale({ ...sale, threeDSecure: { authenticated: true, cavv: null } });
    expect(sent()).toEqual({ security_key: securityKey, type: 'sale', ...sale });
  });

  it('is refused after a failed authentication, unless the caller allows it', async () => {
    const failed = { ...sale, threeDSecure: { authenticated: false } };
    const error = await failureOf(transact.sale(failed), InvalidRequestError);
    expect(error.issues).toMatchObject([{ path: 'threeDSecure.authenticated' }]);
    expect(service.arrivals).toHaveLength(0);
    service.answers(text('response=1'));
    expect(await transact.sale(failed, { allowFailedAuthentication: true })).toMatchObject({
      approved: true,
    });
  });

  it('is refused beside one of its own fields, or if it is not an object', async () => {
    const duplicate = await failureOf(
      transact.sale({ ...sale, threeDSecure: result, eci: '07' }),
      InvalidRequestError,
    );
    expect(duplicate.issues).toMatchObject([{ path: 'eci' }]);
    const noObject = await failureOf(
      transact.sale({ ...sale, threeDSecure: 'Y' as never }),
      InvalidRequestError,
    );
    expect(noObject.issues).toMatchObject([{ path: 'threeDSecure' }]);
  });
});
