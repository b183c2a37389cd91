/** What every page of the sandbox has in common: who may embed it, where its forms lead, and what it never shows. */

import { createSandbox, type Sandbox, testCards } from 'payments-client-sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { start as startControl } from '../control/support.ts';
import { buyer, card, submit, urls } from './checkout/support.ts';

const evil = '"><img src=x onerror=alert(1)>';
const shop = 'https://shop.example';
const options = { merchantName: evil, seed: 'pages', startsAt: Date.UTC(2026, 0, 1) };

/** A session whose every text would be HTML, if the page let it. */
function sessionOf(sandbox: Sandbox, fields: object = {}) {
  const session = sandbox.add('checkout_session', {
    ...urls,
    cancel_url: `${shop}/${evil}`,
    customer_email: evil,
    client_reference_id: evil,
    ...fields,
  });
  const line_items = session.line_items.map((line) => ({ ...line, name: evil }));
  return sandbox.update('checkout_session', session.id, { line_items });
}

const get = (sandbox: Sandbox, path: string) => sandbox.fetch(new Request(`${sandbox.url}${path}`));

/** Submits a session's form with a test card. */
const pay = (sandbox: Sandbox, name: keyof typeof testCards, fields = {}) =>
  submit(sandbox, sessionOf(sandbox), {
    ...buyer,
    name: evil,
    ...card,
    ccnumber: testCards[name].number,
    ...fields,
  });

async function followed(sandbox: Sandbox, name: keyof typeof testCards): Promise<Response> {
  return get(sandbox, (await pay(sandbox, name)).headers.get('location') ?? '');
}

/** Starts a challenge of Gateway.js, and returns its id. */
async function challengeOf(sandbox: Sandbox): Promise<string> {
  const token = await sandbox.tokenize({
    ccnumber: testCards.challengeRequired.number,
    ccexp: '1230',
    cvv: '123',
  });
  const body = new URLSearchParams({ apiKey: sandbox.publicKey, token });
  const init = { method: 'POST', body, headers: { origin: shop } };
  const response = await sandbox.fetch(new Request(`${sandbox.url}/browser/authentications`, init));
  return JSON.parse(await response.text()).challenge;
}

interface Page {
  readonly name: string;
  readonly open: (sandbox: Sandbox) => Promise<Response>;
  readonly status: number;
  /** Besides itself. Default: nobody. */
  readonly leadsTo?: string;
  readonly framedBy?: string;
  /** Whether it shows the shop's name and lines. Default: true. */
  readonly isOfShop?: false;
}

const ofShop = { leadsTo: shop };
const own = { isOfShop: false } as const;
const pages: readonly Page[] = [
  {
    name: 'an open session',
    open: (sandbox) => get(sandbox, `/checkout/${sessionOf(sandbox).id}`),
    status: 200,
    ...ofShop,
  },
  {
    name: 'a session without an address of the shop',
    open: (sandbox) =>
      get(sandbox, `/checkout/${sessionOf(sandbox, { success_url: 'javascript:alert(1)' }).id}`),
    status: 200,
  },
  {
    name: 'wrong fields',
    open: (sandbox) => pay(sandbox, 'fullMatch', { cvv: evil, email: evil }),
    status: 422,
    ...ofShop,
  },
  { name: 'a decline', open: (sandbox) => pay(sandbox, 'doNotHonor'), status: 402, ...ofShop },
  {
    name: 'a challenge of the bank',
    open: (sandbox) => followed(sandbox, 'challengeRequired'),
    status: 200,
    ...ofShop,
  },
  {
    name: 'a failed challenge',
    open: (sandbox) => followed(sandbox, 'authenticationFailed'),
    status: 402,
    ...ofShop,
  },
  {
    name: 'a paid session',
    open: (sandbox) =>
      get(sandbox, `/checkout/${sessionOf(sandbox, { payment_status: 'paid', status: 'complete' }).id}`),
    status: 200,
  },
  {
    name: 'an expired session',
    open: (sandbox) => get(sandbox, `/checkout/${sessionOf(sandbox, { status: 'expired' }).id}`),
    status: 200,
  },
  { name: 'an unknown session', open: (sandbox) => get(sandbox, '/checkout/cs_nobody'), status: 404 },
  {
    name: 'the card fields',
    open: (sandbox) =>
      get(sandbox, `/browser/card-fields?origin=${encodeURIComponent(`${shop}/cart?a=1; script-src *`)}`),
    status: 200,
    framedBy: shop,
    ...own,
  },
  {
    name: 'no card fields',
    open: (sandbox) => get(sandbox, '/browser/card-fields?origin=null'),
    status: 400,
    ...own,
  },
  {
    name: 'a challenge in a frame',
    open: async (sandbox) => {
      const query = new URLSearchParams({ id: await challengeOf(sandbox), amount: evil, currency: evil });
      return get(sandbox, `/browser/challenge?${query}`);
    },
    status: 200,
    framedBy: shop,
    ...own,
  },
  {
    name: 'no challenge in a frame',
    open: (sandbox) => get(sandbox, '/browser/challenge?id=none'),
    status: 404,
    ...own,
  },
  { name: 'the dashboard', open: (sandbox) => get(sandbox, '/'), status: 200, ...own },
];

describe.each(pages)(
  'the page of $name',
  ({ open, status, leadsTo, framedBy = "'none'", isOfShop = true }) => {
    const sandbox = createSandbox(options);
    const page = open(sandbox).then(async (response) => ({ response, html: await response.text() }));

    test('is allowed only what it needs, and never cached', async () => {
      const { response } = await page;
      expect(response.status).toBe(status);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
      expect(response.headers.get('content-security-policy')?.split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        'img-src data:',
        `form-action 'self'${leadsTo === undefined ? '' : ` ${leadsTo}`}`,
        `frame-ancestors ${framedBy}`,
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]);
    });

    test('shows no secret and no card, and escapes every value', async () => {
      const { html } = await page;
      expect(html).toMatch(
        /^<!doctype html><html lang="en"><head>.*<meta name="viewport" content="width=device-width/,
      );
      const digits = html.replaceAll(/[\s-]/g, '');
      const numbers = Object.values(testCards).map(({ number }) => number);
      const hidden = [sandbox.secretKey, sandbox.securityKey, sandbox.webhookSecret, ...numbers];
      expect(hidden.filter((one) => digits.includes(one))).toEqual([]);
      expect(html).not.toMatch(/<img|<script>/);
      // The shop's name stands in the heading and the title.
      if (isOfShop) expect(html.match(/(?:<bdi>|· )&quot;>&lt;img src=x/g)?.length).toBeGreaterThan(1);
    });

    test('loads files of the sandbox only, and those exist', async () => {
      const { html } = await page;
      const files = [...html.matchAll(/<(?:link|script)[^>]* (?:href|src)="([^"]+)"/g)].map(
        ([, path = '']) => path,
      );
      expect(files).toEqual(['data:,', expect.stringMatching(/\.css$/), ...files.slice(2)]);
      for (const path of files.slice(1)) {
        const response = await get(sandbox, path);
        const type = path.endsWith('.css') ? 'text/css' : 'text/javascript';
        expect([path, response.status, response.headers.get('content-type')]).toEqual([
          path,
          200,
          `${type}; charset=utf-8`,
        ]);
      }
    });
  },
);

test('an unknown file is a 404', async () => {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  expect((await get(sandbox, '/_pages/none.js')).status).toBe(404);
});

test('the dashboard has a key of its own, which neither the API nor another sandbox accepts', async () => {
  const { sandbox, call } = startControl();
  const [, key = ''] = /data-key="([\w-]+)"/.exec(await (await get(sandbox, '/')).text()) ?? [];
  expect((await call('state', 'GET', undefined, key)).status).toBe(200);
  const headers = { authorization: `Bearer ${key}` };
  expect((await sandbox.fetch(new Request(`${sandbox.url}/v1/customers`, { headers }))).status).toBe(401);
  expect((await startControl().call('state', 'GET', undefined, key)).status).toBe(401);
});

test('the script of the dashboard has at most 80 KB', async () => {
  const { sandbox } = startControl();
  const script = await (await get(sandbox, '/_pages/dashboard.js')).arrayBuffer();
  expect(script.byteLength).toBeLessThanOrEqual(80 * 1024);
});
