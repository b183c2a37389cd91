import { AuthenticationError, Transact } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { saleParams } from '../support/fixtures.ts';
import { type GatewayResponse, gatewayResponses } from './gateway-responses.ts';

/** Sends a sale to a gateway that sends this response body, and returns the result. */
async function resultOf(body: string) {
  const transact = new Transact({
    baseUrl: 'https://gateway.test',
    securityKey: 'security-key-unit-0001',
    fetch: async () => new Response(body, { headers: { 'content-type': 'text/html; charset=UTF-8' } }),
  });
  return transact.submit({ type: 'sale', ...saleParams });
}

/** Returns the field names of a body: the text before the first `=` of each part. */
function fieldNamesOf({ body }: GatewayResponse): string[] {
  return body.split('&').flatMap((part) => (part.includes('=') ? [part.slice(0, part.indexOf('='))] : []));
}

const wrongCredentials = gatewayResponses.filter(({ what }) => what.includes('wrong credentials'));
const others = gatewayResponses.filter((fixture) => !wrongCredentials.includes(fixture));

describe('a response that refuses the credentials', () => {
  it.each(wrongCredentials)('is an AuthenticationError, not a decline: $what', async ({ body, expected }) => {
    const error = await failureOf(resultOf(body), AuthenticationError);
    expect(error).toMatchObject({ status: 200, outcome: 'not_executed', retryable: false, attempts: 1 });
    expect(error.message).toContain('The service rejected the security_key.');
    expect(error.body).toMatchObject({ responsetext: expected.responsetext });
  });
});

describe('a recorded gateway response', () => {
  it.each(others)('is decoded: $what', async (fixture) => {
    const { approved, response, responsetext, transactionid, avs, cvv, fields = {} } = fixture.expected;
    const result = await resultOf(fixture.body);
    expect(result).toMatchObject({
      approved,
      errored: response === '3',
      response,
      responsetext,
      transactionid,
      risk: undefined,
      fields,
    });
    expect(result.avs?.code).toBe(avs);
    expect(result.cvv?.code).toBe(cvv);
    expect(Object.keys(result.fields)).toEqual(fieldNamesOf(fixture));
  });
});

describe('the values of a response', () => {
  // A body with a raw space has no escapes at all.
  const escaped = (body: string) => /[+%]/.test(body) && !body.includes(' ');

  it.each(others.filter(({ body }) => !escaped(body)))('are kept unchanged: $what', async ({ body }) => {
    const { fields } = await resultOf(body);
    const pairs = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    expect(pairs.join('&')).toBe(body.trimEnd());
  });

  it.each(others.filter(({ body }) => escaped(body)))('are unescaped: $what', async ({ body }) => {
    const { fields } = await resultOf(body);
    expect(fields).toEqual(Object.fromEntries(new URLSearchParams(body)));
  });
});
