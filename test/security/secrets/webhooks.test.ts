/** Secrets in the body, the headers and the secret of a delivery, and in the error of a handler. */

import { ConfigurationError, WebhookVerificationError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import {
  bodyHmac,
  type ReceiverOptions,
  type SignatureScheme,
  standardWebhooks,
  timestampedHmac,
  Webhooks,
  type WebhooksOptions,
} from 'payments-client/webhooks';
import { describe, expect, vi } from 'vitest';
import { envelope, eventOf, now } from '../../support/deliveries.ts';
import { startTelemetry } from '../../support/telemetry.ts';
import { allowances } from './allowed.ts';
import { recordingStore } from './calls.ts';
import {
  cardNumber,
  cardNumbers,
  everyCanary,
  otherWebhookSecret,
  secretKey,
  securityKey,
  webhookSecret,
} from './canaries.ts';
import { addTelemetry } from './loggers.ts';
import type { Outputs } from './outputs.ts';
import { noSecretComesOutOf, once, type Place, placesOf } from './places.ts';

const schemes: Readonly<Record<string, () => SignatureScheme>> = {
  standardWebhooks,
  timestampedHmac: () => timestampedHmac({ header: 'x-signature' }),
  bodyHmac: () => bodyHmac({ header: 'x-signature' }),
};

const allSecrets = everyCanary.map(({ text }) => text).join(' ');
const object: unknown = Reflect.get(Object(eventOf('customer.created')['data']), 'object');

const event = JSON.stringify(eventOf('customer.created', { note: allSecrets }));

/** Complete bodies, malformed ones in each checked position, and such without JSON. */
const bodies: Readonly<Record<string, string>> = {
  'an event': event,
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

const eachValue = (headers: Headers, change: (value: string) => string): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]));

/** Changes of valid headers. */
const headerChanges: readonly ((headers: Headers) => Headers)[] = [
  (headers) => headers,
  () => ({ authorization: `Bearer ${secretKey}` }),
  (headers) => eachValue(headers, () => allSecrets),
  (headers) => eachValue(headers, (value) => `${value},v1=${securityKey}`),
  (headers) => eachValue(headers, () => allSecrets.repeat(100)),
];

function webhooksWith(options: Partial<WebhooksOptions>): Webhooks {
  const secrets = options.secrets ?? [webhookSecret];
  return new Webhooks({ now: () => now, ...options, secret: undefined, secrets });
}

/** Receivers with the right secret and other secrets, at the right time and other times. */
const readers: readonly Partial<WebhooksOptions>[] = [
  {},
  { secrets: [otherWebhookSecret, webhookSecret] },
  { secrets: { platform: otherWebhookSecret } },
  { livemode: true },
  { maxBodyBytes: 10 },
  { now: () => now + 3_600_000 },
  { now: () => now - 3_600_000 },
];

describe.each(Object.entries(schemes))('a delivery signed by %s has secrets in', (_name, schemeOf) => {
  const place =
    (body: string): Place<Partial<WebhooksOptions>> =>
    async (options, out) => {
      const scheme = schemeOf();
      const signed = await webhooksWith({ scheme }).sign(body, { id: 'msg_1' });
      const webhooks = webhooksWith({ scheme, logger: out.options.logger, ...options });
      const onError: ReceiverOptions['onError'] = ({ error }) => out.add('onError', error);
      const receiver = webhooks.receiver({ store: memoryStore(), on: {}, onError });
      for (const change of headerChanges) {
        const headers = change(signed);
        const error = await webhooks.verify(body, headers).catch((reason: unknown) => reason);
        if (error instanceof Error) expect(error).toBeInstanceOf(WebhookVerificationError);
        if (error instanceof Error) out.add('error', error);
        out.add('reply', await receiver.handle({ body, headers }));
      }
      out.add('objects', [webhooks, receiver, scheme]);
      const [signature = ''] = Object.values(signed).filter((value) => value.length > 20);
      const shown = [...out.of('error').map(String), JSON.stringify(out.of('reply'))].join();
      expect(signature).not.toBe('');
      expect(shown).not.toContain(signature.replace(/^.*[,=](?=.{20})/, ''));
    };
  noSecretComesOutOf(placesOf(bodies, place), {
    given: readers,
    nth: 4,
    from: ['error', 'reply', 'onError', 'log.info'],
    allowed: [allowances.shortValues],
  });
});

describe('a signing secret is invalid for', () => {
  const wrong = [
    ` ${webhookSecret}`,
    `${webhookSecret} ${webhookSecret}`,
    secretKey,
    `whpk_${securityKey}`,
    [webhookSecret],
  ];
  const given = wrong.flatMap((secret) => [
    { secret },
    { secrets: [secret] },
    { secrets: { [secretKey]: secret } },
    { secret, secrets: [secret] },
  ]);
  const place =
    (schemeOf: () => SignatureScheme): Place<object> =>
    (options, out) => {
      try {
        out.add('webhooks', Reflect.construct(Webhooks, [{ ...options, scheme: schemeOf() }]));
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigurationError);
        out.add('error', error);
      }
    };
  noSecretComesOutOf(placesOf(schemes, place), { given, from: ['error'] });
});

describe('a handler throws a secret as', () => {
  const thrown: Readonly<Record<string, (text: string) => unknown>> = {
    'a message': (text) => new TypeError(`no order of ${text}`),
    'the name of an error': (text) => Object.assign(new Error('x'), { name: text }),
    'its code': (text) => Object.assign(new Error('x'), { code: text }),
    'a number as its code': (text) => Object.assign(new Error('x'), { code: Number(text) }),
    'a field and a cause': (text) => Object.assign(new Error('x', { cause: new Error(text) }), { text }),
    'a text': (text) => `card ${text}`,
    'an object': (text) => ({ ccnumber: text }),
  };

  /** Each cause is written to the console once an hour. */
  let time = 0;

  async function deliver(error: unknown, text: string, out: Outputs): Promise<void> {
    vi.spyOn(performance, 'now').mockImplementation(() => (time += 3_600_000));
    const telemetry = startTelemetry();
    const { logger } = out.options;
    const onEvent = () => Promise.reject(error);
    for (const livemode of [true, false]) {
      for (const options of [{ logger, instrument: telemetry.instrument }, {}]) {
        const webhooks = webhooksWith(options);
        const { handle } = webhooks.receiver({ store: memoryStore(), on: {}, onEvent });
        const named = envelope(`a.${text}`, { number: text }, { id: `evt_${text}`, livemode });
        for (const sent of [envelope('a.b', {}, { livemode }), named]) {
          const body = JSON.stringify(sent);
          out.add('reply', await handle({ body, headers: await webhooks.sign(body) }));
        }
      }
    }
    await addTelemetry(out, telemetry);
  }

  const place =
    (errorOf: (text: string) => unknown): Place<string> =>
    (text, out) =>
      deliver(errorOf(text), text, out);
  noSecretComesOutOf(placesOf(thrown, place), {
    given: [...cardNumbers, secretKey, webhookSecret],
    from: ['reply', 'log.error', 'console.error', 'span', 'metric'],
  });
});

describe('a delivery is kept in a store', () => {
  /** Handles a delivery, after a failure if there is one. Returns its signature. */
  async function handle(body: string, failures: readonly Error[], out: Outputs): Promise<string> {
    const left = [...failures];
    const webhooks = webhooksWith({});
    const headers = await webhooks.sign(body);
    const onEvent = () => {
      const error = left.pop();
      if (error !== undefined) throw error;
    };
    const receiver = webhooks.receiver({ store: recordingStore(out), on: {}, onEvent });
    for (let turn = 0; turn <= failures.length; turn += 1) await receiver.handle({ body, headers });
    expect(left).toEqual([]);
    out.add('receiver', receiver);
    return headers['webhook-signature'] ?? expect.fail('unsigned');
  }

  const kept: Readonly<Record<string, Place<undefined>>> = {
    'by its id, if its handler succeeds': async (_, out) => {
      await handle(event, [], out);
    },
    'with its body, if it failed, but with no signature and no error': async (_, out) => {
      const harmless = JSON.stringify(eventOf('customer.created', { livemode: true }));
      const signature = await handle(harmless, [new Error(`not now: ${allSecrets}`)], out);
      const stored = JSON.stringify(out.of('stored'));
      expect(stored).not.toContain(signature);
      expect(stored).toContain(JSON.stringify(JSON.stringify(harmless)).slice(3, -3));
    },
  };
  noSecretComesOutOf(kept, { given: once, from: ['receiver', 'stored'] });
});
