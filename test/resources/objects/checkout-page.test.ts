/** The address of a session's hosted page, which the interface does not show. */

import { ConfigurationError, InvalidRequestError, PaymentsClient } from 'payments-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { anything } from '../../support/anything.ts';
import { createClient } from '../../support/mock-service.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const pageOf = (checkoutPage: string | undefined, id = 'cs_1', more = {}) =>
  createClient({ checkoutPage, ...more }).checkoutSessions.pageUrl({ id });

describe('pageUrl', () => {
  it.each([
    ['https://pay.example.com/checkout/{id}', 'https://pay.example.com/checkout/cs_1'],
    ['https://pay.example.com/?session={id}&shop=7', 'https://pay.example.com/?session=cs_1&shop=7'],
    ['https://pay.example.com/#/{id}', 'https://pay.example.com/#/cs_1'],
    ['http://127.0.0.1:4242/checkout/{id}', 'http://127.0.0.1:4242/checkout/cs_1'],
  ])('fills %s', (template, url) => {
    expect(pageOf(template)).toBe(url);
  });

  it('takes the address from the environment, and an option takes precedence', () => {
    vi.stubEnv('PAYMENTS_CHECKOUT_PAGE', 'https://pay.example.com/{id}');
    expect(pageOf(undefined)).toBe('https://pay.example.com/cs_1');
    expect(pageOf('https://other.example.com/{id}')).toBe('https://other.example.com/cs_1');
  });

  it('encodes an id, which cannot leave its place', () => {
    expect(pageOf('https://pay.example.com/{id}', 'a/../b?c#d')).toBe(
      'https://pay.example.com/a%2F..%2Fb%3Fc%23d',
    );
  });

  it('without an address, says what to set', () => {
    expect(() => pageOf(undefined)).toThrow(ConfigurationError);
    expect(() => pageOf(undefined)).toThrow(
      /^checkoutPage: expected a URL with \{id\}.*PAYMENTS_CHECKOUT_PAGE/,
    );
  });

  it.each<[what: string, session: unknown, path: string, received: string]>([
    ['an id in place of the session', 'cs_1', 'id', 'nothing'],
    ['a session without an id', {}, 'id', 'nothing'],
    ['nothing', undefined, 'id', 'nothing'],
    ['an id that climbs', { id: '..' }, 'id', "'..'"],
    ['an intent', { id: 'pi_1' }, 'session.id', 'the id of a payment intent'],
  ])('refuses %s', (_, session, path, received) => {
    const { checkoutSessions } = createClient({ checkoutPage: 'https://pay.example.com/{id}' });
    const refused = () => checkoutSessions.pageUrl(anything(session));
    expect(refused).toThrow(InvalidRequestError);
    expect(refused).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ path, received })] }),
    );
  });
});

describe('the option', () => {
  const form = 'a URL with {id} in it, such as https://pay.example.com/{id}';
  const https = 'an https URL (http is for loopback hosts, or with allowInsecure: true)';

  it.each<[template: unknown, expected?: string]>([
    ['https://pay.example.com/checkout/'],
    ['https://pay.example.com/{session}'],
    ['https://pay.example.com/{id}/{id}'],
    ['https://{id}.example.com/'],
    ['https:////{id}'],
    ['https://pay.example.com:{id}'],
    ['/checkout/{id}'],
    ['https://pay.example.com/{id}\r\nset-cookie: a=b'],
    ['javascript:alert({id})'],
    [''],
    [7],
    ['http://pay.example.com/{id}', https],
    ['https://user:secret@pay.example.com/{id}', 'a URL without a user name or password'],
  ])('refuses %j when the client is made, and does not show it', (template, expected = form) => {
    const received = expect.stringMatching(/^an? (?:empty )?(?:string|number)/);
    const make = () => createClient({ checkoutPage: anything(template) });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(expect.objectContaining({ issues: [{ path: 'checkoutPage', expected, received }] }));
  });

  it('is named among the other wrong options', () => {
    vi.stubEnv('PAYMENTS_CHECKOUT_PAGE', 'payments');
    expect(() => new PaymentsClient({ baseUrl: 'x', secretKey: 'sk_v1_test_1' })).toThrow(
      /^baseUrl: .*; checkoutPage: expected a URL with \{id\} .*, got a string of 8 characters\. /,
    );
  });

  it('takes http for another host with allowInsecure', () => {
    expect(pageOf('http://pay.internal/{id}', 'cs_1', { allowInsecure: true })).toBe(
      'http://pay.internal/cs_1',
    );
  });
});
