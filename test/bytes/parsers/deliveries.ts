/** Deliveries of webhooks in each scheme: lines of headers, an empty line, and a body. */

import { createHmac } from 'node:crypto';
import { WebhookVerificationError } from 'payments-client';
import {
  bodyHmac,
  type SignatureScheme,
  standardWebhooks,
  timestampedHmac,
  Webhooks,
} from 'payments-client/webhooks';
import { expect } from 'vitest';
import { eventOf, now, secret as standardSecret } from '../../support/deliveries.ts';
import type { Parser } from '../parser.ts';
import { controlCharacter } from '../service.ts';

export const textSecret = 'webhook-secret-of-bytes-1';
const header = 'x-signature';
const clock = () => now;

type HeaderFields = Readonly<Record<string, string | readonly string[]>>;

const webhooksOf = (scheme: SignatureScheme, secret: string) => new Webhooks({ secret, scheme, now: clock });

/** A verifier of each scheme. */
export const webhooks = {
  standard: webhooksOf(standardWebhooks(), standardSecret),
  timestamped: webhooksOf(timestampedHmac({ header }), textSecret),
  body: webhooksOf(bodyHmac({ header }), textSecret),
};

const reasons = ['missing_header', 'malformed_header', 'no_match', 'too_old', 'too_new', 'invalid_payload'];

/** Returns the reason of a refusal. Any other error is thrown again. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof WebhookVerificationError)) throw error;
  expect(reasons).toContain(error.reason);
  expect(error).toMatchObject({ outcome: 'not_an_operation', code: `WEBHOOK_${error.reason.toUpperCase()}` });
  expect(error.message).not.toMatch(controlCharacter);
  for (const secret of [standardSecret, textSecret]) expect(error.message).not.toContain(secret);
  return error.reason;
}

function signature(
  key: string | Buffer,
  encoding: 'hex' | 'base64',
  ...parts: readonly (string | Uint8Array)[]
) {
  const sum = createHmac('sha256', key);
  for (const part of parts) sum.update(part);
  return sum.digest(encoding);
}

const standardKey = Buffer.from(standardSecret.slice('whsec_'.length), 'base64');
const standardSignature = (id: string, timestamp: string, body: Uint8Array | string) =>
  `v1,${signature(standardKey, 'base64', `${id}.${timestamp}.`, body)}`;
const hexSignature = (prefix: string, body: Uint8Array | string) =>
  signature(textSecret, 'hex', prefix, body);

/** Returns the value of a header, with a name in any case, and all of its lines joined. */
function headerOf(headers: HeaderFields, name: string): string {
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return [value ?? ''].flat().join(' ');
}

type IsSigned = (headers: HeaderFields, body: Uint8Array) => boolean;

const isStandardSigned: IsSigned = (headers, body) =>
  ['webhook', 'svix'].some((prefix) => {
    const signed = standardSignature(
      headerOf(headers, `${prefix}-id`),
      headerOf(headers, `${prefix}-timestamp`),
      body,
    );
    return headerOf(headers, `${prefix}-signature`).includes(signed);
  });

const isTimestampedSigned: IsSigned = (headers, body) => {
  const value = headerOf(headers, header);
  const [, timestamp = ''] = /(?:^|[, \t])t=([^, \t]*)/.exec(value) ?? [];
  return value.toLowerCase().includes(`v1=${hexSignature(`${timestamp}.`, body)}`);
};

const isBodySigned: IsSigned = (headers, body) =>
  headerOf(headers, header).toLowerCase().includes(hexSignature('', body));

/** Reads a delivery. */
function read(bytes: Buffer): { headers: HeaderFields; body: Buffer } {
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

const judgeBy = (verifier: Webhooks, isSigned: IsSigned) => async (bytes: Buffer) => {
  const { headers, body } = read(bytes);
  return verifier.verify(body, headers).then((event) => {
    expect(JSON.parse(body.toString('utf8'))).toMatchObject({ id: event.id });
    expect(isSigned(headers, body)).toBe(true);
    return 'event';
  }, reasonOf);
};

const event = JSON.stringify(eventOf('refund.created'));
const time = String(now / 1000);
const tampered = event.replace('refund.created', 'refunt.created');

/** Writes a delivery. */
const delivery = (body: string | Uint8Array, ...lines: readonly string[]) =>
  Buffer.concat([Buffer.from(`${lines.join('\n')}\n\n`, 'latin1'), Buffer.from(body)]);

/** Writes a delivery of Standard Webhooks; `parts` replace those of a valid one. */
function standard({
  id = 'msg_1',
  timestamp = time,
  body = event as string | Uint8Array,
  signatures = [standardSignature(id, timestamp, body)],
  prefix = 'webhook',
} = {}) {
  const lines = signatures.map((value) => `${prefix}-signature: ${value}`);
  return delivery(body, `${prefix}-id: ${id}`, `${prefix}-timestamp: ${timestamp}`, ...lines);
}

const right = standardSignature('msg_1', time, event);
const wrong = standardSignature('msg_2', time, event);
const onlyOnce = hexSignature(`${time}.`, event);
const bodyHex = hexSignature('', event);
const signed = (value: string, body = event) => delivery(body, `x-signature: ${value}`);
const timestamped = (timestamp: string) =>
  signed(`t=${timestamp},v1=${hexSignature(`${timestamp}.`, event)}`);

const promise = 'a forged event is refused with its reason, and every authentic one is an event';
const common = ['\n', '\n\n', ' ', ',', '=', 'A', 'é', '\0', time, '{"id":"x"}'];

export const deliveries: readonly Parser[] = [
  {
    name: 'the scheme of Standard Webhooks',
    promise,
    corpus: {
      event: {
        signed: standard(),
        'names in another case': Buffer.from(
          standard().toString('latin1').replaceAll('webhook-', 'WEBHOOK-'),
          'latin1',
        ),
        'second of a list': standard({ signatures: [`${wrong} v2,abc ${right}`] }),
        'two headers': standard({ signatures: [wrong, right] }),
        Svix: standard({ prefix: 'svix' }),
        'time in ms': standard({ timestamp: `${time}000` }),
        'as old as allowed': standard({ timestamp: String(now / 1000 - 300) }),
        'as new as allowed': standard({ timestamp: String(now / 1000 + 300) }),
      },
      invalid_payload: {
        empty: standard({ body: '' }),
        'no JSON': standard({ body: 'not json' }),
        'not UTF-8': standard({ body: Buffer.from('{ÿ}', 'latin1') }),
      },
      malformed_header: {
        'empty signature': standard({ signatures: [''] }),
        'long signature': standard({ signatures: [`v1,${'A'.repeat(8900)}`] }),
        'many signatures': standard({ signatures: [Array(17).fill('v1,AAAA').join(' ')] }),
        'no version': standard({ signatures: [right.slice(3)] }),
        ...Object.fromEntries(
          ['1e9', `${time}.0`, `${'0'.repeat(20)}${time}`, '-1', 'now', ''].map((timestamp) => [
            `time '${timestamp}'`,
            standard({ timestamp }),
          ]),
        ),
      },
      missing_header: {
        'no id': delivery(event, `webhook-timestamp: ${time}`, `webhook-signature: ${right}`),
        'no time': delivery(event, 'webhook-id: msg_1', `webhook-signature: ${right}`),
        'no signature': standard({ signatures: [] }),
        none: delivery(event, 'content-type: application/json'),
      },
      no_match: {
        'changed body': standard({ body: tampered, signatures: [right] }),
        'another id': standard({ id: 'msg_2', signatures: [right] }),
        'another time': standard({ timestamp: String(now / 1000 + 1), signatures: [right] }),
        'dot moved from the id': standard({
          id: 'msg',
          signatures: [standardSignature('msg.1', time, event)],
        }),
        'id twice': delivery(
          event,
          'webhook-id: msg_1',
          'webhook-id: msg_1',
          `webhook-timestamp: ${time}`,
          `webhook-signature: ${right}`,
        ),
        'idle bits of Base64': standard({ signatures: [right.replace(/.=$/, 'B=')] }),
        'another version': standard({ signatures: [right.replace('v1,', 'v1a,')] }),
        'cut signature': standard({ signatures: [right.slice(0, -4)] }),
      },
      too_new: {
        early: standard({ timestamp: '9999999999' }),
        'by a second': standard({ timestamp: String(now / 1000 + 301) }),
      },
      too_old: {
        late: standard({ timestamp: '1000000000' }),
        'by a second': standard({ timestamp: String(now / 1000 - 301) }),
      },
    },
    vocabulary: [
      'webhook-id: ',
      'webhook-timestamp: ',
      'webhook-signature: ',
      'svix-signature: ',
      'v1,',
      'v1a,',
      right,
      ...common,
    ],
    cases: 500,
    judge: judgeBy(webhooks.standard, isStandardSigned),
  },
  {
    name: 'the scheme of signatures with a timestamp',
    promise,
    corpus: {
      event: {
        signed: timestamped(time),
        'blanks and others': signed(`v0=abc, t=${time},\tv1=${onlyOnce}, x`),
        'second of a list': signed(`t=${time},v1=00,v1=${onlyOnce}`),
        'hexadecimal in capitals': signed(`t=${time},v1=${onlyOnce.toUpperCase()}`),
        'name in another case': delivery(event, `X-Signature: t=${time},v1=${onlyOnce}`),
      },
      invalid_payload: { 'no JSON': signed(`t=${time},v1=${hexSignature(`${time}.`, 'x')}`, 'x') },
      malformed_header: {
        'hexadecimal time': timestamped('0x10'),
        'no time': signed(`v1=${onlyOnce}`),
        'not ASCII': signed('café'),
      },
      missing_header: { none: delivery(event, 'x-other: 1') },
      no_match: {
        'changed body': signed(`t=${time},v1=${onlyOnce}`, tampered),
        'changed time': signed(`t=${now / 1000 + 1},v1=${onlyOnce}`),
        'no signature': signed(`t=${time}`),
        'second time signed': signed(`t=${now / 1000 + 1},t=${time},v1=${onlyOnce}`),
        'another version': signed(`t=${time},v0=${onlyOnce}`),
      },
      too_new: { early: timestamped('9999999999'), 'by a second': timestamped(String(now / 1000 + 301)) },
      too_old: { late: timestamped('1000000000'), 'by a second': timestamped(String(now / 1000 - 301)) },
    },
    vocabulary: ['x-signature: ', 'v1=', 'v0=', 't=', onlyOnce, ...common],
    cases: 500,
    judge: judgeBy(webhooks.timestamped, isTimestampedSigned),
  },
  {
    name: 'the scheme of signatures of the body',
    promise,
    corpus: {
      event: { signed: signed(bodyHex), 'with its algorithm': signed(`sha256=${bodyHex}`) },
      invalid_payload: { 'no JSON': signed(hexSignature('', 'x'), 'x') },
      malformed_header: {
        'another algorithm': signed(`sha1=${bodyHex.slice(0, 40)}`),
        twice: delivery(event, `x-signature: ${bodyHex}`, `x-signature: ${bodyHex}`),
        'not ASCII': signed('café'),
      },
      missing_header: { none: delivery(event, 'x-other: 1') },
      no_match: { 'changed body': signed(bodyHex, tampered), 'of no body': signed(hexSignature('', '')) },
    },
    vocabulary: ['x-signature: ', 'sha256=', 'sha1=', bodyHex, ...common],
    cases: 500,
    judge: judgeBy(webhooks.body, isBodySigned),
  },
];
