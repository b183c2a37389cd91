/**
 * Combines every signature scheme with every way to refuse a delivery, with canaries in its body, headers and secrets. No error,
 * response, object of the SDK, or store contains one of them, or a signature.
 */

import { ConfigurationError, WebhookVerificationError } from 'payments-client';
import { memoryStore, type PostgresClient, postgresStore, redisStore } from 'payments-client/stores';
import {
  bodyHmac,
  type SignatureScheme,
  standardWebhooks,
  timestampedHmac,
  Webhooks,
  type WebhooksOptions,
} from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { eventOf, now } from '../support/deliveries.ts';
import { allowances } from './canary/allowed.ts';
import { cardNumber, everyCanary, secretKey, securityKey, webhookSecret } from './canary/canaries.ts';
import { OutputCollector } from './canary/output-collector.ts';

const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

const schemes: Readonly<Record<string, () => SignatureScheme>> = {
  standardWebhooks,
  timestampedHmac: () => timestampedHmac({ header: 'x-signature' }),
  bodyHmac: () => bodyHmac({ header: 'x-signature' }),
};

const allSecrets = everyCanary.map(({ text }) => text).join(' ');
const object: unknown = Reflect.get(Object(eventOf('customer.created')['data']), 'object');

/** Bodies with secrets: complete, malformed in each checked position, and without JSON. */
const bodies: Readonly<Record<string, string>> = {
  'an event': JSON.stringify(eventOf('customer.created', { note: allSecrets })),
  'a malformed event': JSON.stringify(
    eventOf('customer.created', {
      created: [allSecrets],
      api_version: { told: allSecrets },
      livemode: cardNumber,
      operations: allSecrets,
    }),
  ),
  'an event with a malformed object': JSON.stringify(
    eventOf('customer.created', {
      data: { object: { ...Object(object), metadata: { [cardNumber]: [allSecrets] } } },
    }),
  ),
  'an event with a long id': JSON.stringify({ ...eventOf('customer.created'), id: allSecrets.repeat(9) }),
  'another object': JSON.stringify({ told: allSecrets, [allSecrets]: allSecrets }),
  'no JSON': `{"told": ${allSecrets}`,
  'a text': JSON.stringify(allSecrets),
};

type Headers = Readonly<Record<string, string>>;

/** Changes of valid headers. */
const headerChanges: Readonly<Record<string, (headers: Headers) => Headers>> = {
  right: (headers) => headers,
  none: () => ({ authorization: `Bearer ${secretKey}` }),
  'with other values': (headers) =>
    Object.fromEntries(Object.keys(headers).map((name) => [name, allSecrets])),
  'with appended values': (headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value},v1=${securityKey}`])),
  'with long values': (headers) =>
    Object.fromEntries(Object.keys(headers).map((name) => [name, allSecrets.repeat(100)])),
};

function webhooksWith(options: Partial<WebhooksOptions>): Webhooks {
  const secrets = options.secrets ?? [options.secret ?? webhookSecret];
  return new Webhooks({ now: () => now, ...options, secret: undefined, secrets });
}

/** Receivers with the right secret and other secrets, at the right time and other times. */
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
  it.each(Object.entries(bodies))('are refused without a leak, with the body: %s', async (_what, body) => {
    const collector = new OutputCollector().withProcess();
    const scheme = schemeOf();
    const signed = await webhooksWith({ scheme }).sign(body, { id: 'msg_1' });
    const signatures = Object.values(signed).filter((value) => value.length > 20);
    for (const webhooks of readers(scheme)) {
      const receiver = webhooks.receiver({
        store: memoryStore(),
        on: {},
        onError: ({ error }) => collector.add('onError', error),
      });
      for (const change of Object.values(headerChanges)) {
        const headers = change(signed);
        const error = await webhooks.verify(body, headers).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error !== undefined) expect(error).toBeInstanceOf(WebhookVerificationError);
        collector.add('error', error);
        collector.add('reply', await receiver.handle({ body, headers }));
      }
      collector.add('objects', [webhooks, receiver, scheme]);
    }
    expect(collector.outputOf('onError').length).toBeGreaterThan(10);
    expect(signatures).toHaveLength(1);
    expect(collector.leaks(allowances.shortValues)).toEqual([]);
    const everything =
      JSON.stringify(collector.outputOf('error').map(String)) + JSON.stringify(collector.outputOf('reply'));
    for (const signature of signatures)
      expect(everything).not.toContain(signature.replace(/^.*[,=](?=.{20})/, ''));
  });
});

describe('an invalid secret', () => {
  it.each(Object.entries(schemes))('is not repeated by %s', (_name, schemeOf) => {
    const collector = new OutputCollector();
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
          collector.add('webhooks', Reflect.construct(Webhooks, [{ ...options, scheme: schemeOf() }]));
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigurationError);
          refusals += 1;
          collector.add('error', error);
        }
      }
    }
    expect(refusals).toBeGreaterThan(wrong.length);
    expect(collector.leaks()).toEqual([]);
  });
});

/** Database clients that record their commands and confirm every claim. Only a claim reads the time. */
function recorders(collector: OutputCollector) {
  const redis = {
    isOpen: true,
    eval: async (script: string, options: object) => {
      collector.add('redis', [script, options]);
      return script.includes('TIME') ? [1, 1] : 1;
    },
  };
  const pool: PostgresClient = {
    query: async (text, values) => {
      collector.add('postgres', [text, values]);
      return { rows: [{ attempt: 1, is_late: false }] };
    },
  };
  return { redis, pool };
}

describe.each(['memory', 'redis', 'postgres'])('a store (%s) keeps', (kind) => {
  /** Handles deliveries of a body one after the other: some fail. */
  async function handle(body: string, failing: readonly boolean[]) {
    const collector = new OutputCollector().withProcess();
    const { redis, pool } = recorders(collector);
    const store =
      kind === 'redis' ? redisStore(redis) : kind === 'postgres' ? postgresStore(pool) : memoryStore();
    const webhooks = webhooksWith({});
    const headers = await webhooks.sign(body);
    const outcomes: string[] = [];
    for (const fails of failing) {
      const receiver = webhooks.receiver({
        store,
        on: {
          'customer.created': () => {
            if (fails) throw new Error(`not now: ${allSecrets}`);
          },
        },
      });
      outcomes.push((await receiver.handle({ body, headers })).outcome);
      collector.add('receiver', receiver);
    }
    collector.add('store', store);
    return { collector, headers, outcomes };
  }

  it('only the id of an event that is handled', async () => {
    const { collector, outcomes } = await handle(bodies['an event'] ?? '', [false, false]);
    expect(outcomes[0]).toBe('handled');
    expect(collector.leaks()).toEqual([]);
    if (kind !== 'memory') expect(collector.outputOf(kind).length).toBeGreaterThan(2);
  });

  it('only the body of a live event whose handler failed: no signature, no secret, and no message of the error', async () => {
    const body = JSON.stringify(eventOf('customer.created', { livemode: true }));
    const { collector, headers, outcomes } = await handle(body, [true, false]);
    expect(outcomes).toEqual(['failed', 'handled']);
    expect(collector.leaks()).toEqual([]);
    const stored = JSON.stringify(collector.outputOf(kind));
    expect(stored).not.toContain(headers['webhook-signature']);
    if (kind !== 'memory') expect(stored).toContain(JSON.stringify(JSON.stringify(body)).slice(3, -3));
  });
});
