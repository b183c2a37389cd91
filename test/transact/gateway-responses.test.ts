import { AuthenticationError, Transact } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { saleParams } from '../support/fixtures.ts';
import { type GatewayResponse, gatewayCategories, gatewayResponses } from './gateway-responses.ts';

/** Sends a sale to a gateway that answers with this body. */
async function answerOf(body: string) {
  const transact = new Transact({
    baseUrl: 'https://gateway.test',
    securityKey: 'security-key-unit-0001',
    fetch: async () => new Response(body, { headers: { 'content-type': 'text/html; charset=UTF-8' } }),
  });
  return transact.submit({ type: 'sale', ...saleParams });
}

/** The names in a body, read as plainly as can be: what stands before each first `=`. */
function namesIn({ body }: GatewayResponse): string[] {
  return body.split('&').flatMap((part) => (part.includes('=') ? [part.slice(0, part.indexOf('='))] : []));
}

const all = gatewayResponses.map((fixture) => ({
  ...fixture,
  title: `${fixture.category}: ${fixture.what}`,
}));
const ofCredentials = all.filter(({ what }) => what.includes('wrong credentials'));
const titled = all.filter((fixture) => !ofCredentials.includes(fixture));

describe('a response that speaks of the credentials', () => {
  it.each(ofCredentials)('is no decline: $title', async ({ body, expected }) => {
    const error = await failureOf(answerOf(body), AuthenticationError);
    expect(error).toMatchObject({ status: 200, outcome: 'not_executed', retryable: false, attempts: 1 });
    expect(error.message).toContain('expected an accepted security_key');
    expect(error.body).toMatchObject({ responsetext: expected.responsetext });
  });
});

describe('a response as gateways send it', () => {
  it.each(titled)('$title', async (fixture) => {
    const { approved, response, responsetext, transactionid, avs, cvv, fields = {} } = fixture.expected;
    const result = await answerOf(fixture.body);
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
    expect(Object.keys(result.fields)).toEqual(namesIn(fixture));
  });
});

describe('the values of a response', () => {
  // Where a space came as it is, so did all the rest.
  const escaped = (body: string) => /[+%]/.test(body) && !body.includes(' ');

  it.each(titled.filter(({ body }) => !escaped(body)))('are as they came: $title', async ({ body }) => {
    const { fields } = await answerOf(body);
    const pairs = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    expect(pairs.join('&')).toBe(body.trimEnd());
  });

  it.each(titled.filter(({ body }) => escaped(body)))('are unescaped: $title', async ({ body }) => {
    const { fields } = await answerOf(body);
    expect(fields).toEqual(Object.fromEntries(new URLSearchParams(body)));
  });
});

describe('the collection', () => {
  it('has many different responses, most of them from elsewhere, and some of each category', () => {
    const taken = gatewayResponses.filter(({ from }) => !from.startsWith('made here'));
    expect(taken.length).toBeGreaterThanOrEqual(40);
    expect(new Set(gatewayResponses.map(({ body }) => body)).size).toBe(gatewayResponses.length);
    expect(new Set(gatewayResponses.map(({ category }) => category))).toEqual(new Set(gatewayCategories));
  });
});
