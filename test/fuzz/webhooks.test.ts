/**
 * Deliveries with any headers and bytes return an event only if a header contains a signature that this test computes
 * independently. All others are refused with a reason, and nothing else is thrown.
 */

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import {
  bodyHmac,
  type DeliveryHeaders,
  eventCatalog,
  standardWebhooks,
  timestampedHmac,
  type WebhookEvent,
  Webhooks,
  WebhookVerificationError,
} from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { eventOf, now, secret as standardSecret } from '../support/deliveries.ts';
import { drawsOf } from '../support/draws.ts';
import { size } from '../support/size.ts';
import { controlCharacter } from './answering.ts';
import { attack, patience, property, seed } from './campaign.ts';

/** Shorter than a scheme takes without being asked: the corpus is signed with it. */
const textSecret = 'webhook-secret-of-fuzz';
const allowShortSecrets = true;

type HeaderFields = Readonly<Record<string, string | readonly string[]>>;

const hmac = (key: string | Buffer, ...parts: readonly (string | Uint8Array)[]) => {
  const sum = createHmac('sha256', key);
  for (const part of parts) sum.update(part);
  return sum;
};

const hexOf = (prefix: string, body: Uint8Array) => hmac(textSecret, prefix, body).digest('hex');

/** The value of a header, whatever the case of its name, with all of its lines in one. */
function headerOf(headers: HeaderFields, name: string): string | undefined {
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' || value === undefined ? value : value.join(' ');
}

function hasStandardSignature(headers: HeaderFields, body: Uint8Array): boolean {
  const key = Buffer.from(standardSecret.slice('whsec_'.length), 'base64');
  return ['webhook', 'svix'].some((prefix) => {
    const id = headerOf(headers, `${prefix}-id`);
    const timestamp = headerOf(headers, `${prefix}-timestamp`);
    const signature = hmac(key, `${id}.${timestamp}.`, body).digest('base64');
    return headerOf(headers, `${prefix}-signature`)?.includes(`v1,${signature}`) === true;
  });
}

function hasTimestampedSignature(headers: HeaderFields, body: Uint8Array): boolean {
  const value = headerOf(headers, 'x-signature') ?? '';
  const [, timestamp = ''] = /(?:^|[, \t])t=([^, \t]*)/.exec(value) ?? [];
  return value.toLowerCase().includes(`v1=${hexOf(`${timestamp}.`, body)}`);
}

function hasBodySignature(headers: HeaderFields, body: Uint8Array): boolean {
  return (headerOf(headers, 'x-signature') ?? '').toLowerCase().includes(hexOf('', body));
}

/** A scheme, and how to tell without it whether a delivery is signed. */
interface Scheme {
  readonly webhooks: Webhooks;
  readonly isSigned: (headers: HeaderFields, body: Uint8Array) => boolean;
}

const clock = () => now;
const header = 'x-signature';

const schemes: Readonly<Record<string, Scheme>> = {
  standard: {
    webhooks: new Webhooks({ secret: standardSecret, scheme: standardWebhooks(), now: clock }),
    isSigned: hasStandardSignature,
  },
  timestamped: {
    webhooks: new Webhooks({
      secret: textSecret,
      scheme: timestampedHmac({ header, allowShortSecrets }),
      now: clock,
    }),
    isSigned: hasTimestampedSignature,
  },
  body: {
    webhooks: new Webhooks({
      secret: textSecret,
      scheme: bodyHmac({ header, allowShortSecrets }),
      now: clock,
    }),
    isSigned: hasBodySignature,
  },
};

const schemeEntries = Object.entries(schemes);

const reasons = ['missing_header', 'malformed_header', 'no_match', 'too_old', 'too_new', 'invalid_payload'];

/** The reason of a refusal. Anything else that was thrown is thrown on. */
function reasonOf(error: unknown): string {
  if (!(error instanceof WebhookVerificationError)) throw error;
  expect(reasons).toContain(error.reason);
  expect(error).toMatchObject({ outcome: 'not_executed', code: `WEBHOOK_${error.reason.toUpperCase()}` });
  expect(error.message).not.toMatch(controlCharacter);
  for (const secret of [standardSecret, textSecret]) expect(error.message).not.toContain(secret);
  return error.reason;
}

type Verdict = { readonly event: WebhookEvent } | { readonly reason: string };

async function verdictOf(webhooks: Webhooks, body: Uint8Array, headers: DeliveryHeaders): Promise<Verdict> {
  try {
    return { event: await webhooks.verify(body, headers) };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

const endingOf = (verdict: Verdict) => ('event' in verdict ? 'event' : verdict.reason);

/** A delivery in a file: lines of headers, an empty one, and the body. */
function readDelivery(bytes: Buffer): { headers: HeaderFields; body: Buffer } {
  const end = bytes.indexOf('\n\n');
  const head = bytes.subarray(0, end === -1 ? bytes.length : end).toString('latin1');
  const headers = new Map<string, string | string[]>();
  for (const line of head.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : [...[earlier].flat(), value]);
  }
  return {
    headers: Object.fromEntries(headers),
    body: end === -1 ? Buffer.alloc(0) : bytes.subarray(end + 2),
  };
}

async function checkDelivery({ webhooks, isSigned }: Scheme, bytes: Buffer): Promise<string> {
  const { headers, body } = readDelivery(bytes);
  const verdict = await verdictOf(webhooks, body, headers);
  // A body that is no event may be signed all the same.
  if ('event' in verdict) expect(isSigned(headers, body)).toBe(true);
  return endingOf(verdict);
}

describe('a delivery', () => {
  it(`is an event where it is signed, and else a refusal (seed ${seed})`, { timeout: patience }, async () => {
    const tally = await attack({
      parser: 'deliveries',
      words: [
        ...[
          'webhook-id: ',
          'webhook-timestamp: ',
          'webhook-signature: ',
          'svix-signature: ',
          'x-signature: ',
        ],
        ...[
          'v1,',
          'v1a,',
          'v1=',
          't=',
          'sha256=',
          '\n',
          '\n\n',
          ' ',
          ',',
          '=',
          'A',
          'é',
          `${now / 1000}`,
          '{"id":"x"}',
        ],
      ],
      tries: 1200,
      check: async (bytes, entry) => {
        const [name = '', verdict] = entry?.name.split('.') ?? [];
        const endings = new Map<string, string>();
        for (const [own, scheme] of schemeEntries) endings.set(own, await checkDelivery(scheme, bytes));
        if (entry !== undefined) expect(endings.get(name)).toBe(verdict);
        return [...endings.values()].includes('event') ? 'event' : [...endings.values()].join(' ');
      },
    });
    expect(tally.get('event')).toBeGreaterThan(10);
    for (const reason of reasons) expect([...tally.keys()].join(' ')).toContain(reason);
  });

  it('is refused by its reason for headers and bodies that are none', { timeout: patience }, async () => {
    const anyHeaders = fc.oneof(
      fc.anything(),
      fc.dictionary(
        fc.constantFrom(
          'webhook-id',
          'webhook-timestamp',
          'webhook-signature',
          'x-signature',
          'get',
          '__proto__',
        ),
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
      ),
      fc.constantFrom(null, undefined, '', 'x', 5, Symbol('x'), [], new Map(), () => {}),
    );
    await fc.assert(
      fc.asyncProperty(anyHeaders, fc.anything({ withTypedArray: true }), async (headers, body) => {
        for (const [, { webhooks }] of schemeEntries) {
          for (const bytes of [body, '{}']) {
            const call: unknown = Reflect.apply(webhooks.verify, webhooks, [bytes, headers]);
            expect(reasons).toContain(await Promise.resolve(call).then(() => 'event', reasonOf));
          }
        }
      }),
      property(300),
    );
  });
});

/** A text with one of its characters changed to each of some others. */
function* changesOf(text: string, draw: (bound: number) => number): Generator<string> {
  for (let index = 0; index < text.length; index += 1) {
    for (let times = size === 'long' ? 40 : 1; times > 0; times -= 1) {
      const changed = (text.charCodeAt(index) + 1 + draw(255)) % 256;
      yield text.slice(0, index) + String.fromCharCode(changed) + text.slice(index + 1);
    }
  }
}

/** Whether a change of a header leaves what it says as it was: digits in hex in another case, or a blank for a comma. */
function saysTheSame(changed: string, original: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[ \t]/g, ',');
  return plain(changed) === plain(original);
}

describe.each(schemeEntries)('a delivery in the scheme %s', (name, { webhooks }) => {
  const text = JSON.stringify(eventOf('refund.created'));
  const body = Buffer.from(text);

  it(`is refused once a byte of its body is another (seed ${seed})`, { timeout: patience }, async () => {
    const headers = await webhooks.sign(body, { id: 'msg_1' });
    expect(await verdictOf(webhooks, body, headers)).toHaveProperty('event');
    const draw = drawsOf(seed, 1);
    for (const changed of changesOf(body.toString('latin1'), draw)) {
      const verdict = await verdictOf(webhooks, Buffer.from(changed, 'latin1'), headers);
      expect(verdict, `FUZZ_SEED=${seed}: ${changed}`).toEqual({ reason: 'no_match' });
    }
    for (const other of [body.subarray(1), body.subarray(0, -1), Buffer.concat([body, Buffer.of(0x20)])]) {
      expect(await verdictOf(webhooks, other, headers)).toEqual({ reason: 'no_match' });
    }
  });

  it(`is refused once a byte of its headers is another (seed ${seed})`, { timeout: patience }, async () => {
    const headers = await webhooks.sign(body, { id: 'msg_1' });
    const draw = drawsOf(seed, 2);
    for (const [field, value] of Object.entries(headers)) {
      for (const changed of changesOf(value, draw)) {
        if (name !== 'standard' && saysTheSame(changed, value)) continue;
        const verdict = await verdictOf(webhooks, body, { ...headers, [field]: changed });
        expect(endingOf(verdict), `FUZZ_SEED=${seed}: ${field}: ${changed}`).not.toBe('event');
      }
    }
  });

  it('is the same in every form that headers have', async () => {
    const headers = await webhooks.sign(body, { id: 'msg_1' });
    const fields = Object.entries(headers);
    const shapes: readonly DeliveryHeaders[] = [
      new Headers(headers),
      new Map(fields),
      Object.fromEntries(fields.map(([field, value]) => [field.toUpperCase(), value])),
      Object.fromEntries(fields.map(([field, value]) => [field, [value]])),
      Object.assign(Object.create(null), headers),
      Object.fromEntries([...fields, ['x-huge', 'x'.repeat(100_000)], ['é', 'é'], ['constructor', 'x']]),
    ].map((shape) => Object(shape));
    for (const shape of shapes) expect(await verdictOf(webhooks, body, shape)).toHaveProperty('event');
  });
});

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Whether an event has no other rule to keep than to have an id and a type: its type is of no known kind. */
function isOfLaterType(event: unknown): boolean {
  if (!isFields(event)) return false;
  const { id, type } = event;
  if (typeof id !== 'string' || id === '' || id.length > 255 || typeof type !== 'string' || type === '')
    return false;
  return !Object.hasOwn(eventCatalog, type) && !/^(account|connection|chargeback)\./.test(type);
}

async function checkEvent(bytes: Buffer): Promise<string> {
  const webhooks = new Webhooks({
    secret: textSecret,
    scheme: bodyHmac({ header, allowShortSecrets }),
    now: clock,
  });
  const verdict = await verdictOf(webhooks, bytes, { [header]: hexOf('', bytes) });
  const value = parsed(bytes);
  if ('reason' in verdict) {
    expect(verdict.reason).toBe('invalid_payload');
    expect(isOfLaterType(value)).toBe(false);
    return verdict.reason;
  }
  const { event } = verdict;
  expect(event).toMatchObject({ id: expect.any(String), type: expect.any(String), data: expect.any(Object) });
  // Bare notifications are put into an envelope, and later types made sound; a known one is given as it came.
  if (Object.hasOwn(eventCatalog, event.type)) expect(event).toEqual(value);
  return 'event';
}

describe('the event in a signed delivery', () => {
  it(`is given or refused as no event, whatever it is (seed ${seed})`, { timeout: patience }, async () => {
    const tally = await attack({
      parser: 'events',
      words: [
        ...[
          '"id"',
          '"type"',
          '"event"',
          '"data"',
          '"object"',
          '"operations"',
          '"refund.created"',
          '"payout.paid"',
          '"evt_1"',
        ],
        ...['{', '}', '[', ']', ':', ',', '"', 'null', '7', 'true'],
      ],
      tries: 1200,
      check: async (bytes, entry) => {
        const ending = await checkEvent(bytes);
        if (entry !== undefined) expect(ending).toBe(entry.ending);
        return ending;
      },
    });
    expect([...tally.keys()].sort()).toEqual(['event', 'invalid_payload']);
  });
});
