/** Reaches inside: tries every scheme, header and secret, which would take minutes with the program. */

import type { ServiceInterface } from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { schemeFor } from '../../../src/webhooks/signatures/scheme-for.ts';
import { pairwise } from '../../../test/support/pairwise.ts';
import { everyNth } from '../../../test/support/size.ts';
import type { Delivery } from '../../src/probe/delivery.ts';
import { readWebhookForm } from '../../src/probe/webhook-form.ts';

type WebhookForm = NonNullable<ServiceInterface['webhooks']>;

const encodings = ['text', 'base64', 'hex'] as const;
const headers = ['webhook-signature', 'x-signature', 'Signature', 'x-shop-hmac-sha256'];

const standard = ['webhook', 'svix', 'x-payments'].map(
  (headerPrefix) => ({ scheme: 'standardWebhooks', headerPrefix }) as const,
);
const timestamped = pairwise({
  header: headers,
  secretEncoding: encodings,
  timestampField: ['t', 'ts'],
  signatureField: ['v1', 's'],
} as const).map((options) => ({ scheme: 'timestampedHmac', ...options }) as const);
const body = pairwise({
  header: headers,
  secretEncoding: encodings,
  encoding: ['hex', 'base64'],
} as const).map((options) => ({ scheme: 'bodyHmac', ...options }) as const);

const forms: readonly WebhookForm[] = [...standard, ...timestamped, ...body];

/** A delivery of a sandbox with these forms, and its secret. */
async function recorded(
  webhooks: WebhookForm,
): Promise<{ readonly delivery: Delivery; readonly secret: string }> {
  const sandbox = createSandbox({ interface: { webhooks } });
  onTestFinished(() => sandbox.close());
  const deliveries: Delivery[] = [];
  const { secret } = sandbox.webhooks.deliverTo(async (request) => {
    const bytes = new Uint8Array(await request.arrayBuffer());
    deliveries.push({ headers: new Map(request.headers), body: bytes });
    return new Response();
  });
  sandbox.trigger('customer.created');
  await sandbox.settled();
  const [delivery] = deliveries;
  if (delivery === undefined) throw new Error('Nothing was delivered.');
  return { delivery, secret };
}

/** Returns a form without the omitted fields, and with the recorded header. */
function asWritten(form: WebhookForm): WebhookForm {
  if (form.scheme === 'standardWebhooks') return form;
  const { secretEncoding, header, ...rest } = form;
  return {
    ...rest,
    header: header.toLowerCase(),
    ...(secretEncoding !== 'text' && { secretEncoding }),
  };
}

const withHeader = ({ headers: given, body: bytes }: Delivery, name: string, value: string): Delivery => ({
  headers: new Map([...given, [name, value]]),
  body: bytes,
});

test.each(everyNth(forms, 2))(
  'a delivery signed by %j is recognized only with its own secret and bytes',
  async (form) => {
    const { delivery, secret } = await recorded(form);
    const finding = await readWebhookForm(delivery, secret);
    const isAssumed = form.scheme === 'standardWebhooks' && form.headerPrefix !== 'x-payments';
    expect(finding.verdict).toBe(isAssumed ? 'as assumed' : 'differs');
    expect(finding.known?.webhooks).toEqual(asWritten(form));
    expect(finding.detail).toMatch(new RegExp(`^${form.scheme}, headers? `));
    expect(finding.detail).not.toContain(secret);

    const otherSecret = `${secret.slice(0, -4)}AAAA`;
    const [first = 0, ...rest] = delivery.body;
    const changed = { ...delivery, body: Uint8Array.from([first ^ 1, ...rest]) };
    const cut = { ...delivery, body: delivery.body.subarray(0, -1) };
    for (const [wrong, key] of [
      [delivery, otherSecret],
      [changed, secret],
      [cut, secret],
    ] as const) {
      const unknown = await readWebhookForm(wrong, key);
      expect([unknown.verdict, unknown.known]).toEqual(['not seen', undefined]);
      expect(unknown.detail).not.toContain(key);
    }
  },
);

const hmac: WebhookForm = { scheme: 'bodyHmac', header: 'x-signature', encoding: 'hex' };

test('an old delivery is recognized as well', async () => {
  const form: WebhookForm = { scheme: 'timestampedHmac', header: 'x-signature' };
  const key = 'a secret of more than 24 bytes';
  const bytes = new TextEncoder().encode('{}');
  const signed = await schemeFor(form).sign({ body: bytes, id: 'msg_1', timestamp: 1e12, secret: key });
  const finding = await readWebhookForm({ headers: new Map(Object.entries(signed)), body: bytes }, key);
  expect(finding.known?.webhooks).toMatchObject(form);
  // A client verifies with the form that was written.
  const header = (name: string) => signed[name];
  const times = { now: 1e12, tolerance: 1000 };
  expect(
    await schemeFor(finding.known?.webhooks).verify({ body: bytes, header, secret: key, ...times }),
  ).toBe(true);
});

test('the signature is found among similar headers, also after sha256=', async () => {
  const { delivery, secret } = await recorded(hmac);
  const decoys = {
    'x-first-signature': 'f'.repeat(64),
    'x-second-signature': `t=1700000000,v1=${'0'.repeat(64)}`,
    'x-third': `${'A'.repeat(43)}=`,
    'bad header': 'f'.repeat(64),
  };
  const named = withHeader(delivery, 'x-signature', `sha256=${delivery.headers.get('x-signature')}`);
  for (const { headers: own } of [delivery, named]) {
    const merged = { ...delivery, headers: new Map([...Object.entries(decoys), ...own]) };
    expect((await readWebhookForm(merged, secret)).known?.webhooks).toEqual(hmac);
  }
});

test('one of several signatures is enough, as in a rotation of secrets', async () => {
  const { delivery, secret } = await recorded({ scheme: 'timestampedHmac', header: 'x-signature' });
  const value = delivery.headers.get('x-signature') ?? '';
  const rotated = withHeader(delivery, 'x-signature', value.replace(',', `,v1=${'0'.repeat(64)},`));
  expect((await readWebhookForm(rotated, secret)).verdict).toBe('differs');
  const standardOne = await recorded({ scheme: 'standardWebhooks' });
  const signature = standardOne.delivery.headers.get('webhook-signature') ?? '';
  for (const joined of [`v1,${'A'.repeat(43)}= ${signature}`, `v1,${'A'.repeat(43)}=, ${signature}`]) {
    const twice = withHeader(standardOne.delivery, 'webhook-signature', joined);
    expect((await readWebhookForm(twice, standardOne.secret)).verdict).toBe('as assumed');
  }
});

test('a header with a name that cannot be printed is left out', async () => {
  const { delivery, secret } = await recorded(hmac);
  const { 'x-signature': value = '', ...others } = Object.fromEntries(delivery.headers);
  for (const name of ['x-signature*', 'x'.repeat(65)]) {
    const renamed = { ...delivery, headers: new Map(Object.entries({ ...others, [name]: value })) };
    expect((await readWebhookForm(renamed, secret)).verdict).toBe('not seen');
  }
});

test('a few fields of a header are tried, since each one hashes the whole body', async () => {
  const { delivery, secret } = await recorded({ scheme: 'timestampedHmac', header: 'x-signature' });
  const value = delivery.headers.get('x-signature') ?? '';
  const decoys = (count: number) =>
    Array.from({ length: count }, (_, index) => `s${index}=${'0'.repeat(64)},`);
  const some = withHeader(delivery, 'x-signature', decoys(4).join('') + value);
  expect((await readWebhookForm(some, secret)).verdict).toBe('differs');
  const many = withHeader(delivery, 'x-signature', decoys(100).join('') + value);
  expect((await readWebhookForm(many, secret)).verdict).toBe('not seen');
});

test.each(['', ' ', '🍵', 'short', 'whsec_', 'sk_v1_test_1', 'x'.repeat(10_000)])(
  'an invalid secret, %j, matches no scheme',
  async (secret) => {
    const { delivery } = await recorded(hmac);
    expect(await readWebhookForm(delivery, secret)).toMatchObject({ verdict: 'not seen' });
    expect(await readWebhookForm({ headers: new Map(), body: new Uint8Array() }, secret)).toMatchObject({
      verdict: 'not seen',
    });
  },
);
