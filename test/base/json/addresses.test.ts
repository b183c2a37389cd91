/** Parameters that say where a browser goes: none that runs code is sent. */

import * as fc from 'fast-check';
import { InvalidRequestError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { createClient, json } from '../../support/mock-service.ts';

const by = { operationId: 'order-1042' };

function start(options = {}) {
  const bodies: unknown[] = [];
  const fetch = async (request: Request) => {
    bodies.push(await request.json());
    return json({ id: 'x_1', object: 'x', livemode: false });
  };
  return { bodies, payments: createClient({ fetch, validation: 'off', ...options }) };
}

type Payments = ReturnType<typeof start>['payments'];

const session = (urls: object) => ({
  mode: 'payment' as const,
  line_items: [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }],
  ...urls,
});

/** Every way to pass an address, with the path that an error names. */
const ways: Readonly<Record<string, (payments: Payments, url: string) => PromiseLike<unknown>>> = {
  success_url: ({ checkoutSessions }, success_url) => checkoutSessions.create(session({ success_url }), by),
  cancel_url: ({ checkoutSessions }, cancel_url) => checkoutSessions.create(session({ cancel_url }), by),
  url: ({ webhookEndpoints }, url) => webhookEndpoints.create({ url }),
  return_url: ({ accountLinks }, return_url) => accountLinks.create({ return_url }),
  refresh_url: ({ accountLinks }, refresh_url) => accountLinks.create({ refresh_url }),
  'business.redirect_uris[0]': ({ products }, uri) => products.create({ business: { redirect_uris: [uri] } }),
  'params.return_url': ({ paymentIntents }, return_url) =>
    paymentIntents.create(anything({ amount: 1, currency: 'usd', params: { return_url } }), by),
  'body.successUrl': (payments, successUrl) =>
    payments.request({ method: 'POST', path: '/v1/x', body: { successUrl } }, by),
  'success_url.a': ({ checkoutSessions }, a) =>
    checkoutSessions.create(session(anything({ success_url: { a } })), by),
  'success_url[1][0]': ({ checkoutSessions }, url) =>
    checkoutSessions.create(session(anything({ success_url: ['/', [url]] })), by),
  'success_url.page.ios[0].link': ({ checkoutSessions }, link) =>
    checkoutSessions.create(session(anything({ success_url: { page: { ios: [{ link }] } } })), by),
};

describe.each(Object.entries(ways))('%s', (path, send) => {
  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://shop.example/x',
    'file:///etc/passwd',
  ])('refuses %s, whatever `validation` is', async (url) => {
    const { payments, bodies } = start();
    const { message, issues } = await failureOf(send(payments, url), InvalidRequestError);
    expect(issues).toMatchObject([{ path, expected: 'the URL of a page or of an app' }]);
    expect(message).toContain(`one that starts with ${url.slice(0, url.indexOf(':') + 1)}`);
    expect(bodies).toEqual([]);
  });

  it.each([
    'https://shop.example/thanks',
    'http://localhost:3000/',
    'myshop://paid',
    '/thanks',
    'thanks?next=javascript:x',
    '',
  ])('sends %j', async (url) => {
    const { payments, bodies } = start();
    await send(payments, url);
    expect(JSON.stringify(bodies)).toContain(JSON.stringify(url));
  });
});

it('refuses every address that a browser reads as one of these', async () => {
  const { payments } = start();
  const ignored = fc.string({ unit: fc.constantFrom('\t', '\n', '\r'), maxLength: 3 });
  const before = fc.string({
    unit: fc.integer({ min: 0, max: 0x20 }).map((code) => String.fromCharCode(code)),
    maxLength: 4,
  });
  const scheme = fc
    .constantFrom('javascript:', 'data:', 'vbscript:', 'blob:', 'file:')
    .chain((text) =>
      fc
        .tuple(...[...text].map((letter) => fc.tuple(fc.constantFrom(letter, letter.toUpperCase()), ignored)))
        .map((letters) => letters.flat().join('')),
    );
  await fc.assert(
    fc.asyncProperty(before, scheme, async (blanks, written) => {
      const url = `${blanks}${written}x`;
      // The URL parser of browsers is the judge.
      expect(new URL(url).protocol).toMatch(/^(?:javascript|data|vbscript|blob|file):$/);
      await failureOf(payments.webhookEndpoints.create({ url }), InvalidRequestError);
    }),
  );
});

it('leaves other fields alone, and does not repeat the address', async () => {
  const { payments, bodies } = start();
  await payments.webhookEndpoints.create({ description: 'javascript: the good parts', curlew: 'data:x' });
  expect(bodies).toHaveLength(1);
  const refused = payments.webhookEndpoints.create({ url: 'javascript:sk_v1_test_51Habcdef' });
  expect((await failureOf(refused, InvalidRequestError)).message).not.toContain('51Habcdef');
});

const unsafe = 'javascript:alert(1)';

/** Names that PHP, Rails or a service that trims reads as `success_url`, or as one within another field. */
const spellings = [
  'success_url[]',
  'success_url[0]',
  'success_url[a][b]',
  'success_url ',
  'success_url\t\u00a0',
  'success_url\0',
  'success_url []',
  'order[success_url]',
  'order[success_url ][0]',
  'redirect_uris[]',
];

describe.each(spellings)('the name %j', (name) => {
  it.each(['body', 'query'] as const)('is read as an address in the %s', async (place) => {
    const { payments, bodies } = start();
    const sent = (url: string) =>
      payments.request({ method: 'POST', path: '/v1/x', body: {}, [place]: { [name]: url } }, by);
    const { issues } = await failureOf(sent(unsafe), InvalidRequestError);
    expect(issues).toMatchObject([{ path: expect.stringMatching(new RegExp(`^${place}\\.`)) }]);
    expect(bodies).toEqual([]);
    await sent('https://shop.example/thanks');
    expect(bodies).toHaveLength(1);
  });
});

it.each([
  'curl_version',
  'curled',
  'url_note',
  'url note',
  'security',
  'urls2',
  'current',
  'uric',
  'ur',
  'rl[]',
])('the name %j is that of another field', async (name) => {
  const { payments, bodies } = start();
  await payments.request({ method: 'POST', path: '/v1/x', body: { [name]: [unsafe] } }, by);
  expect(bodies).toEqual([{ [name]: [unsafe] }]);
});

it('a field beside an address is no address', async () => {
  const { payments, bodies } = start();
  const body = { urls: { a: '/' }, list: [{ url: '/', note: unsafe }], note: unsafe };
  await payments.request({ method: 'POST', path: '/v1/x', body }, by);
  expect(bodies).toEqual([body]);
});
