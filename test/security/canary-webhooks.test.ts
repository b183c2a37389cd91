/**
 * Every way to sign × every way to refuse a delivery, with canaries in its body, its headers and its secrets: neither the
 * error, nor the reply, nor an object of the SDK, nor a store holds one of them, or a signature.
 */

import { ConfigurationError } from 'payments-client';
import { memoryStore, type PostgresClient, postgresStore, redisStore } from 'payments-client/stores';
import {
  bodyHmac,
  type SignatureScheme,
  standardWebhooks,
  timestampedHmac,
  Webhooks,
  type WebhooksOptions,
  WebhookVerificationError,
} from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { eventOf, now } from '../support/deliveries.ts';
import { allowances } from './canary/allowed.ts';
import { cardNumber, everyCanary, secretKey, securityKey, webhookSecret } from './canary/canaries.ts';
import { Watch } from './canary/watch.ts';

const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

const schemes: Readonly<Record<string, () => SignatureScheme>> = {
  standardWebhooks,
  timestampedHmac: () => timestampedHmac({ header: 'x-signature' }),
  bodyHmac: () => bodyHmac({ header: 'x-signature' }),
};

const told = everyCanary.map(({ text }) => text).join(' ');
const object: unknown = Reflect.get(Object(eventOf('customer.created')['data']), 'object');

/** Bodies that say too much: whole, of a wrong form in each place that is checked, and none at all. */
const bodies: Readonly<Record<string, string>> = {
  'an event': JSON.stringify(eventOf('customer.created', { note: told })),
  'an event of a wrong form': JSON.stringify(
    eventOf('customer.created', {
      created: [told],
      api_version: { told },
      livemode: cardNumber,
      operations: told,
    }),
  ),
  'an event of a wrong object': JSON.stringify(
    eventOf('customer.created', {
      data: { object: { ...Object(object), metadata: { [cardNumber]: [told] } } },
    }),
  ),
  'an event whose id is long': JSON.stringify({ ...eventOf('customer.created'), id: told.repeat(9) }),
  'another object': JSON.stringify({ told, [told]: told }),
  'no JSON': `{"told": ${told}`,
  'a text': JSON.stringify(told),
};

type Headers = Readonly<Record<string, string>>;

/** What becomes of right headers. */
const headerings: Readonly<Record<string, (headers: Headers) => Headers>> = {
  right: (headers) => headers,
  none: () => ({ authorization: `Bearer ${secretKey}` }),
  'with other values': (headers) => Object.fromEntries(Object.keys(headers).map((name) => [name, told])),
  'with more after them': (headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value},v1=${securityKey}`])),
  'with long ones': (headers) =>
    Object.fromEntries(Object.keys(headers).map((name) => [name, told.repeat(100)])),
};

function webhooksWith(options: Partial<WebhooksOptions>): Webhooks {
  const secrets = options.secrets ?? [options.secret ?? webhookSecret];
  return new Webhooks({ now: () => now, ...options, secret: undefined, secrets });
}

/** Every reader: of the right secret and of others, at the right time and at others. */
const readers = (scheme: SignatureScheme): readonly Webhooks[] => [
  webhooksWith({ scheme }),
  webhooksWith({ scheme, secrets: [otherSecret, webhookSecret] }),
  webhooksWith({ scheme, secrets: { platform: otherSecret } }),
  webhooksWith({ scheme, livemode: true }),
  webhooksWith({ scheme, maxBodyBytes: 10 }),
  webhooksWith({ scheme, now: () => now + 3_600_000 }),
  webhooksWith({ scheme, now: () => now - 3_600_000 }),
];

describe.each(Object.entries(schemes))('deliveries signed by %s', (_name, schemeOf) => {
  it.each(Object.entries(bodies))('with %s for a body', async (_what, body) => {
    const watch = new Watch().processToo();
    const scheme = schemeOf();
    const signed = await webhooksWith({ scheme }).sign(body, { id: 'msg_1' });
    const signatures = Object.values(signed).filter((value) => value.length > 20);
    for (const webhooks of readers(scheme)) {
      const receiver = webhooks.receiver({
        store: memoryStore(),
        on: {},
        onError: ({ error }) => watch.see('onError', error),
      });
      for (const change of Object.values(headerings)) {
        const headers = change(signed);
        const error = await webhooks.verify(body, headers).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error !== undefined) expect(error).toBeInstanceOf(WebhookVerificationError);
        watch.see('error', error);
        watch.see('reply', await receiver.handle({ body, headers }));
      }
      watch.see('objects', [webhooks, receiver, scheme]);
    }
    expect(watch.shown('onError').length).toBeGreaterThan(10);
    expect(signatures).toHaveLength(1);
    expect(watch.leaks(allowances.shortValues)).toEqual([]);
    const everything =
      JSON.stringify(watch.shown('error').map(String)) + JSON.stringify(watch.shown('reply'));
    for (const signature of signatures)
      expect(everything).not.toContain(signature.replace(/^.*[,=](?=.{20})/, ''));
  });
});

describe('secrets that cannot be right', () => {
  it.each(Object.entries(schemes))('are not repeated by %s', (_name, schemeOf) => {
    const watch = new Watch();
    const wrong = [
      ` ${webhookSecret}`,
      `${webhookSecret} ${webhookSecret}`,
      secretKey,
      `whpk_${securityKey}`,
      [webhookSecret],
    ];
    let refusals = 0;
    for (const secret of wrong) {
      const attempts = [
        { secret },
        { secrets: [secret] },
        { secrets: { [secretKey]: secret } },
        { secret, secrets: [secret] },
      ];
      for (const options of attempts) {
        try {
          watch.see('webhooks', Reflect.construct(Webhooks, [{ ...options, scheme: schemeOf() }]));
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigurationError);
          refusals += 1;
          watch.see('error', error);
        }
      }
    }
    expect(refusals).toBeGreaterThan(wrong.length);
    expect(watch.leaks()).toEqual([]);
  });
});

/** A client of each database that notes what it is sent, and answers that every claim is new. A claim alone asks for the time. */
function recorders(watch: Watch) {
  const redis = {
    isOpen: true,
    eval: async (script: string, options: object) => {
      watch.see('redis', [script, options]);
      return script.includes('TIME') ? [1, 1] : 1;
    },
  };
  const pool: PostgresClient = {
    query: async (text, values) => {
      watch.see('postgres', [text, values]);
      return { rows: [{ attempt: 1, is_late: false }] };
    },
  };
  return { redis, pool };
}

describe('stores keep the id of an event, and nothing of what it says', () => {
  it.each(['memory', 'redis', 'postgres'])('%s', async (kind) => {
    const watch = new Watch().processToo();
    const { redis, pool } = recorders(watch);
    const store =
      kind === 'redis' ? redisStore(redis) : kind === 'postgres' ? postgresStore(pool) : memoryStore();
    const webhooks = webhooksWith({});
    const outcomes: string[] = [];
    const body = bodies['an event'] ?? '';
    const headers = await webhooks.sign(body);
    for (const fails of [true, false, false]) {
      const receiver = webhooks.receiver({
        store,
        on: {
          'customer.created': () => {
            if (fails) throw new Error('not now');
          },
        },
      });
      const { outcome } = await receiver.handle({ body, headers });
      outcomes.push(outcome);
      watch.see('receiver', receiver);
    }
    watch.see('store', store);
    expect(outcomes.slice(0, 2)).toEqual(['failed', 'handled']);
    expect(watch.leaks()).toEqual([]);
    if (kind !== 'memory') expect(watch.shown(kind).length).toBeGreaterThan(3);
  });
});
