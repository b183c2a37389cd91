/**
 * Calls every method with every response and every encoding of the text that it repeats. Keys, headers and card numbers come
 * back, and no output of the SDK contains one of them.
 */

import {
  type MoneyOptions,
  PaymentsClient,
  type PaymentsClientOptions,
  PaymentsError,
  type RouteName,
  type SaleParams,
  Transact,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { everyMethod } from '../support/every-method.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { bySize, everyNth, size } from '../support/size.ts';
import {
  cardNumber,
  cardNumbers,
  expiry,
  headerKey,
  paymentToken,
  person,
  secretKey,
  securityCode,
  securityKey,
  track1,
  track2,
} from './canary/canaries.ts';
import { encodings } from './canary/encodings.ts';
import { OutputCollector } from './canary/output-collector.ts';
import { type Answer, answers, declines } from './canary/responses.ts';

const baseUrl = 'https://payments.test';
const by: MoneyOptions = { operationId: 'order-1042' };

const keys = [secretKey, `Bearer ${secretKey}`, securityKey, headerKey];

/** What the service repeats. Each secret comes first in some text. */
const repeatedSecrets = [...keys, ...cardNumbers, track1.replace(/\^.*\//, '^'), track2];

/** The encodings of the repeated text. */
const everyWriting = Object.keys(encodings);

function optionsOf(
  collector: OutputCollector,
  fetch: NonNullable<PaymentsClientOptions['fetch']>,
): PaymentsClientOptions {
  return {
    ...collector.options,
    baseUrl,
    secretKey,
    securityKey,
    headers: { 'x-api-key': headerKey },
    maxRetries: 1,
    fetch,
  };
}

async function failureOf(call: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(call).then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

/** Runs one call whose service repeats a text, and collects the output. Returns the error. */
async function collectCall(
  collector: OutputCollector,
  call: (options: PaymentsClientOptions) => PromiseLike<unknown>,
  answer: () => Response,
): Promise<unknown> {
  const promise = call(optionsOf(collector, async () => answer()));
  collector.add('promise', promise);
  const error = await failureOf(promise);
  collector.add('error', error);
  return error;
}

/** The repeated texts in one encoding: one by one, and all together. */
function textsIn(writing: string): string[] {
  const texts = repeatedSecrets.map((text) => `it was ${text}`);
  return [...texts, repeatedSecrets.join(' and ')].map((text) => encodings[writing]?.(text) ?? text);
}

type Call = (payments: PaymentsClient) => PromiseLike<unknown>;

/** The calls of all methods, and a request to a path without a method. */
const calls: readonly (readonly [name: string, call: Call])[] = [
  ...(Object.keys(everyMethod) as RouteName[]).map((name): readonly [string, Call] => [
    name,
    (payments) => everyMethod[name](payments, by),
  ]),
  ['request', (payments) => payments.request({ method: 'POST', path: '/v1/payouts', body: {} }, by)],
];

/** Each response runs every eighth pair of call and text, so every pair runs several times. */
const share = 8;

/**
 * Pairs each call with one encoding of one text, so that every text occurs. The short form runs a share of them, with another
 * start for each response. The long form runs each text with a share of the calls.
 */
function* rounds(way: number): Generator<{ call: Call; text: string }> {
  const texts = [...new Set(everyWriting.flatMap(textsIn))];
  if (size === 'long') {
    for (const [place, text] of texts.entries()) {
      for (const [index, [, call]] of calls.entries()) {
        if ((index + place + way) % share === 0) yield { call, text };
      }
    }
    return;
  }
  const step = bySize({ short: 24 * share, all: 1 });
  for (let index = way % step; index < Math.max(texts.length, calls.length); index += step) {
    const [, call] = calls[index % calls.length] ?? [];
    const text = texts[index % texts.length];
    if (call !== undefined && text !== undefined) yield { call, text };
  }
}

/** A `DELETE` may have a response without an object, and `request` accepts any valid JSON. */
function isResult(error: unknown, { what }: Answer): boolean {
  return error === undefined && what.startsWith('200');
}

describe('what the service repeats is not output by the client after', () => {
  it.each(answers)('$what', async (way) => {
    skipBackOff();
    const collector = new OutputCollector().withProcess();
    for (const { call, text } of rounds(answers.indexOf(way))) {
      const error = await collectCall(
        collector,
        (options) => call(new PaymentsClient(options)),
        () => way.answer(text),
      );
      if (!isResult(error, way)) expect(error).toBeInstanceOf(way.error);
    }
    expect(collector.places).toEqual(
      expect.arrayContaining(['log.debug', 'log.error', 'hook.request', 'hook.error', 'promise', 'error']),
    );
    expect(collector.leaks()).toEqual([]);
  });
});

describe('card data that the service repeats is not output by Transact after', () => {
  const amount = '12.00';
  const card = { ccnumber: cardNumber, ccexp: expiry, cvv: securityCode };
  const { email, phone, line1: address1 } = person;
  const cases: readonly { params: SaleParams; texts: readonly string[] }[] = [
    {
      params: { amount, ...card, email, phone, address1 },
      texts: [
        `cvv ${securityCode}, ${expiry}`,
        cardNumber,
        track2,
        securityKey,
        `${email}, ${phone} at ${address1}`,
      ],
    },
    { params: { amount, payment_token: paymentToken }, texts: [`token ${paymentToken}`, securityKey] },
  ];

  const ways = [...answers, ...declines];

  it.each(ways)('$what', async (way) => {
    skipBackOff();
    const collector = new OutputCollector().withProcess();
    for (const { params, texts } of cases) {
      const written = texts.flatMap((one) => everyWriting.map((how) => encodings[how]?.(one) ?? one));
      for (const text of everyNth([...new Set(written)], 12 * share, ways.indexOf(way))) {
        await collectCall(
          collector,
          ({ secretKey: _, ...options }) => new Transact({ ...options, throwOnDecline: true }).sale(params),
          () => way.answer(text),
        );
      }
    }
    const errors = collector.outputOf('error').filter((error) => error instanceof PaymentsError);
    expect(errors.length).toBeGreaterThan(everyWriting.length / bySize({ short: 24 * share, all: 1 }));
    expect(collector.leaks()).toEqual([]);
  });
});
