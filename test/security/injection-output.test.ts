/**
 * External data is output as plain text. In a message or a log line it adds no line and no terminal escape, in a page of the
 * sandbox no markup, and as a field name it reaches no prototype.
 */

import { type Outcome, PaymentsClient, PaymentsError } from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, saleParams } from '../support/fixtures.ts';
import { clientOf as clientOfSandbox, pageOf, startSandbox } from '../support/sandbox.ts';
import { response, startWireServer } from '../support/socket-server.ts';
import { clientOf } from '../support/transports.ts';
import { controlCharacters } from './control-characters.ts';

const by = { operationId: 'order-1' };

const forged =
  'forged\r\n[error] paid twice\u2028\u001b[2J\u001b]0;title\u0007\u009b31m\u0000\b\u007f\u202eexe';

/** Everything that an error outputs by itself, in one line. */
function expectPlain(error: PaymentsError): void {
  expect(error.message).not.toMatch(controlCharacters);
  expect(error.code ?? '').not.toMatch(controlCharacters);
  expect(Reflect.get(error, 'requestId') ?? '').not.toMatch(controlCharacters);
  expect(Reflect.get(Object(error.cause), 'message') ?? '').not.toMatch(controlCharacters);
}

const json = JSON.stringify;
const refused = (body: string) => response('400 Bad Request', body, 'x-request-id: a\tb\x85c\r\n');
const taken = (more: object) => response('200 OK', json({ ...paymentIntent, ...more }));

/** Raw answers of the service, each with the outcome of an intent. */
const answers: readonly (readonly [where: string, answer: string, outcome: Outcome])[] = [
  ['the message of a refusal', refused(json({ error: { code: 'bad', message: forged } })), 'not_executed'],
  ['its code', refused(json({ code: forged, message: 'x' })), 'not_executed'],
  ['its text', refused(forged), 'not_executed'],
  ['its title, as HTML', refused(`<html><title>${forged}</title>`), 'not_executed'],
  [
    'its title, as character references',
    refused('<html><title>a&#10;b&#x1b;[2J&#155;&#8238;</title>'),
    'not_executed',
  ],
  ['an array of errors', refused(json({ errors: [{ message: forged }] })), 'not_executed'],
  ['errors by field', refused(json({ [forged]: [forged] })), 'not_executed'],
  ['a known code with more text', refused(`IDEMPOTENCY_KEY_TOO_LONG\n${forged}`), 'not_executed'],
  ['a known field of a result', taken({ status: forged, currency: 1 }), 'executed'],
  ['a field name of a result', taken({ metadata: { [forged]: 1 } }), 'executed'],
  ['a name and a value', taken({ metadata: { [forged]: { [forged]: forged } }, object: forged }), 'executed'],
  ['a reason phrase', 'HTTP/1.1 \u001b[2J forged\r\n\r\n', 'unknown'],
];

/** A client that gets a raw answer, and the lines that it logs. */
async function clientOfAnswer(answer: string) {
  const lines: string[] = [];
  const line = (message: string) => lines.push(message);
  const { url } = await startWireServer(({ write }) => write(answer));
  const logger = { debug: line, info: line, warn: line, error: line };
  return { payments: clientOf(url, { logger }), lines, url };
}

describe('text from the service', () => {
  it.each(answers)('adds no line to a message or a log, in %s', async (_where, answer, outcome) => {
    const { payments, lines } = await clientOfAnswer(answer);
    const error = await failureOf(payments.paymentIntents.create(intentParams, by), PaymentsError);
    expect(error.outcome).toBe(outcome);
    expectPlain(error);
    expectPlain(await failureOf(payments.transact.sale(saleParams), PaymentsError));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).not.toMatch(controlCharacters);
  });

  it('adds no line in a decline', async () => {
    const body = new URLSearchParams({ response: '2', responsetext: forged }).toString();
    const { payments } = await clientOfAnswer(response('200 OK', body));
    expectPlain(await failureOf(payments.transact.sale(saleParams, { throwOnDecline: true }), PaymentsError));
  });

  it('adds no line in a webhook event', async () => {
    const secret = `whsec_${btoa('a secret of the tests of webhooks')}`;
    const webhooks = new Webhooks({ secret, validation: 'throw' });
    const object = { ...paymentIntent, metadata: { [forged]: 1 } };
    const body = json({ id: 'evt_1', type: 'payment_intent.created', livemode: false, data: { object } });
    const signed = await webhooks.sign(body);
    expectPlain(await failureOf(webhooks.verify(body, signed), PaymentsError));
  });
});

describe('text from the caller', () => {
  it('adds no line, as a name or as a value', async () => {
    const { payments, url } = await clientOfAnswer(response('200 OK', '{}'));
    const wrong: object = { [forged]: forged };
    for (const call of [
      () => payments.paymentIntents.create({ ...intentParams, metadata: { [forged]: 1 } } as never, by),
      () => payments.paymentIntents.create({ ...intentParams, currency: [forged] } as never, by),
      () => payments.refunds.retrieve(forged),
      () => payments.transact.submit({ type: 'sale', [forged]: 1 } as never),
      () => payments.request({ method: forged as never, path: forged }),
      () => payments.request({ method: 'GET', path: '/v1/x', query: { [forged]: {} as never } }),
      () => payments.refunds.retrieve('rf_1', { headers: { [forged]: forged } }),
    ]) {
      expectPlain(await failureOf(call(), PaymentsError));
    }
    for (const options of [
      wrong,
      { routes: wrong },
      { headers: wrong },
      { routes: { 'refunds.list': `GET /{${forged}}` } },
    ]) {
      const make = async () => new PaymentsClient({ baseUrl: url, secretKey: 'sk_v1_test_x', ...options });
      expectPlain(await failureOf(make(), PaymentsError));
    }
  });
});

/** Markup for each position in HTML: text, attributes, addresses, and comments. */
const markup = `</title><script>alert(1)</script>"><img src=x onerror=alert(1)>" onfocus="alert(1)<!--&lt;`;

function expectNoMarkup(page: string): void {
  for (const piece of ['<script>alert', '<img src=x', '" onfocus="', '"><img', '"><script', '<!--'])
    expect(page).not.toContain(piece);
}

describe('a page of the sandbox', () => {
  it('shows markup in any field of a session as text', async () => {
    const sandbox = await startSandbox();
    const line = { name: markup, amount: 1200, currency: 'usd', quantity: 1 };
    const session = await clientOfSandbox(sandbox).checkoutSessions.create(
      {
        mode: 'payment',
        line_items: [line],
        success_url: `https://shop.example/?a="><script>alert(1)</script>`,
        cancel_url: `https://shop.example/"><script>alert(1)</script>`,
        client_reference_id: markup,
        metadata: { note: markup },
      },
      by,
    );
    sandbox.update('checkout_session', session.id, { customer_email: markup, locale: markup });
    const url = pageOf(sandbox, session.id);
    const page = await (await fetch(url)).text();
    expect(page).toContain('&lt;script>alert(1)');
    expectNoMarkup(page);
    const answers = new URLSearchParams();
    for (const name of ['name', 'email', 'ccnumber', 'ccexp', 'cvv', 'address1', 'zip'])
      answers.set(name, markup);
    const again = await fetch(url, { method: 'POST', body: answers, redirect: 'manual' });
    expect(again.status).toBe(422);
    expectNoMarkup(await again.text());
  });

  it('for the dashboard contains no object; it loads them as JSON', async () => {
    const sandbox = await startSandbox();
    sandbox.add('customer', { first_name: markup, metadata: { [markup]: markup } });
    expectNoMarkup(await (await fetch(sandbox.url)).text());
    for (const path of [
      'objects?kind=customer',
      'events',
      'requests',
      'deliveries',
      `objects/${encodeURIComponent(markup)}/x`,
    ]) {
      const answer = await fetch(`${sandbox.url}/_sandbox/${path}`, {
        headers: { authorization: `Bearer ${sandbox.secretKey}` },
      });
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  it('does not repeat its path as markup', async () => {
    const sandbox = await startSandbox();
    for (const below of ['/', '/pay/', '/checkout/', '/v1/', '/_sandbox/']) {
      const answer = await fetch(`${sandbox.url}${below}${encodeURIComponent(markup)}`);
      if (/html/.test(answer.headers.get('content-type') ?? '')) expectNoMarkup(await answer.text());
      else expect(answer.headers.get('content-type') ?? 'text/plain', below).toMatch(/json|plain/);
    }
  });
});

describe('the sandbox', () => {
  const poison =
    '{"__proto__":{"polluted":true,"first_name":"polluted"},"constructor":{"prototype":{"polluted":true}}}';

  it('treats names of prototypes as ordinary fields', async () => {
    const sandbox = await startSandbox();
    const headers = { authorization: `Bearer ${sandbox.secretKey}`, 'content-type': 'application/json' };
    for (const [path, body] of [
      [
        '/v1/customers',
        `{"first_name":"Ada","metadata":{"__proto__":"a"},"payment_settings":${poison},${poison.slice(1)}`,
      ],
      ['/v1/customers', poison],
      ['/v1/products', `{"name":"Tea",${poison.slice(1)}`],
      ['/_sandbox/trigger', `{"type":"customer.created","overrides":${poison}}`],
      ['/_sandbox/trigger', '{"type":"__proto__"}'],
      ['/_sandbox/faults', `{"kind":"unavailable",${poison.slice(1)}`],
      ['/_sandbox/faults', '{"kind":"__proto__"}'],
      ['/_sandbox/seed', poison],
    ]) {
      const answer = await fetch(`${sandbox.url}${path}`, { method: 'POST', headers, body: body ?? '' });
      expect(answer.status, body).toBeLessThan(500);
      await answer.text();
      sandbox.faults.clear();
      expect(Reflect.get({}, 'polluted'), body).toBeUndefined();
      expect(Object.keys(Object.prototype), body).toEqual([]);
      const { first_name } = await clientOfSandbox(sandbox, { maxRetries: 9 }).customers.create({});
      expect(first_name, body).not.toBe('polluted');
    }
  });
});
