/**
 * Deliveries with any headers and bytes return an event only if a header contains a signature that this test computes
 * independently. All others are refused with a reason, and nothing else is thrown.
 */

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { WebhookVerificationError } from 'payments-client';
import {
  bodyHmac,
  standardWebhooks,
  timestampedHmac,
  type VerifiedEvent,
  Webhooks,
} from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { eventOf, now, secret as standardSecret } from '../support/deliveries.ts';
import { drawsOf } from '../support/draws.ts';
import { isCatalogType } from '../support/event-catalog.ts';
import { size } from '../support/size.ts';
import { controlCharacter } from './answering.ts';
import { property, runCampaign, seed } from './campaign.ts';

/** Shorter than a scheme accepts by default: the corpus is signed with it. */
const textSecret = 'webhook-secret-of-fuzz';
const allowShortSecrets = true;

type HeaderFields = Readonly<Record<string, string | readonly string[]>>;

const hmac = (key: string | Buffer, ...parts: readonly (string | Uint8Array)[]) => {
  const sum = createHmac('sha256', key);
  for (const part of parts) sum.update(part);
  return sum;
};

const hexOf = (prefix: string, body: Uint8Array) => hmac(textSecret, prefix, body).digest('hex');

/** Returns the value of a header, with a name in any case, and all of its lines joined. */
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

/** A scheme, and an independent check whether a delivery is signed. */
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

/** Returns the reason of a refusal. Any other error is thrown again. */
function reasonOf(error: unknown): string {
  if (!(error instanceof WebhookVerificationError)) throw error;
  expect(reasons).toContain(error.reason);
  expect(error).toMatchObject({ outcome: 'not_executed', code: `WEBHOOK_${error.reason.toUpperCase()}` });
  expect(error.message).not.toMatch(controlCharacter);
  for (const secret of [standardSecret, textSecret]) expect(error.message).not.toContain(secret);
  return error.reason;
}

type Verdict = { readonly event: VerifiedEvent } | { readonly reason: string };

async function verdictOf(
  webhooks: Webhooks,
  body: Uint8Array,
  headers: Parameters<Webhooks['verify']>[1],
): Promise<Verdict> {
  try {
    return { event: await webhooks.verify(body, headers) };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

const endingOf = (verdict: Verdict) => ('event' in verdict ? 'event' : verdict.reason);

/** Reads a delivery from a file: header lines, an empty line, and the body. */
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
  // A body without an event may be signed too.
  if ('event' in verdict) expect(isSigned(headers, body)).toBe(true);
  return endingOf(verdict);
}

describe('a delivery', () => {
  it(`is an event if it is signed, otherwise a refusal (seed ${seed})`, async () => {
    const tally = await runCampaign({
      parser: 'deliveries',
      vocabulary: [
        'webhook-id: ',
        'webhook-timestamp: ',
        'webhook-signature: ',
        'svix-signature: ',
        'x-signature: ',
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
      caseCount: 1200,
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

  it('is refused with its reason for headers and bodies of wrong types', async () => {
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

/** Returns a text with one character replaced by each of some others. */
function* changesOf(text: string, draw: (bound: number) => number): Generator<string> {
  for (let index = 0; index < text.length; index += 1) {
    for (let times = size === 'long' ? 40 : 1; times > 0; times -= 1) {
      const changed = (text.charCodeAt(index) + 1 + draw(255)) % 256;
      yield text.slice(0, index) + String.fromCharCode(changed) + text.slice(index + 1);
    }
  }
}

/** Returns whether a changed header means the same: hexadecimal digits in another case, or a space instead of a comma. */
function saysTheSame(changed: string, original: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[ \t]/g, ',');
  return plain(changed) === plain(original);
}

describe.each(schemeEntries)('a delivery in the scheme %s', (name, { webhooks }) => {
  const text = JSON.stringify(eventOf('refund.created'));
  const body = Buffer.from(text);

  it(`is refused after a change of one byte of its body (seed ${seed})`, async () => {
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

  it(`is refused after a change of one byte of its headers (seed ${seed})`, async () => {
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

  it('has the same result with every type of headers', async () => {
    const headers = await webhooks.sign(body, { id: 'msg_1' });
    const fields = Object.entries(headers);
    const shapes: readonly Parameters<Webhooks['verify']>[1][] = [
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

/** Returns whether an event needs only an id and a type: its type is unknown. */
function isOfLaterType(event: unknown): boolean {
  if (!isFields(event)) return false;
  const { id, type } = event;
  if (typeof id !== 'string' || id === '' || id.length > 255 || typeof type !== 'string' || type === '')
    return false;
  return !isCatalogType(type) && !/^(account|connection|chargeback)\./.test(type);
}

const scheme = bodyHmac({ header, allowShortSecrets });
const lenient = new Webhooks({ secret: textSecret, scheme, now: clock });
const strict = new Webhooks({ secret: textSecret, scheme, now: clock, validation: 'throw' });

async function checkEvent(bytes: Buffer): Promise<string> {
  const headers = { [header]: hexOf('', bytes) };
  const verdict = await verdictOf(strict, bytes, headers);
  const accepted = await verdictOf(lenient, bytes, headers);
  const value = parsed(bytes);
  // What strict validation alone refuses has an id and a type, and names its differences.
  if ('event' in accepted) expect(accepted.event.issues.length > 0).toBe('reason' in verdict);
  else expect(verdict).toEqual(accepted);
  if ('reason' in verdict) {
    expect(verdict.reason).toBe('invalid_payload');
    expect(isOfLaterType(value)).toBe(false);
    return verdict.reason;
  }
  const { event } = verdict;
  expect(event).toMatchObject({ id: expect.any(String), type: expect.any(String), data: expect.any(Object) });
  // Bare notifications get an envelope, and unknown types are validated; a known event is returned unchanged.
  if (isCatalogType(event.type)) expect(event).toEqual(value);
  return 'event';
}

describe('the event in a signed delivery', () => {
  it(`is returned or refused, for any value (seed ${seed})`, async () => {
    const tally = await runCampaign({
      parser: 'events',
      vocabulary: [
        '"id"',
        '"type"',
        '"event"',
        '"data"',
        '"object"',
        '"operations"',
        '"refund.created"',
        '"payout.paid"',
        '"evt_1"',
        '{',
        '}',
        '[',
        ']',
        ':',
        ',',
        '"',
        'null',
        '7',
        'true',
      ],
      caseCount: 1200,
      check: async (bytes, entry) => {
        const ending = await checkEvent(bytes);
        if (entry !== undefined) expect(ending).toBe(entry.ending);
        return ending;
      },
    });
    expect([...tally.keys()].sort()).toEqual(['event', 'invalid_payload']);
  });
});
