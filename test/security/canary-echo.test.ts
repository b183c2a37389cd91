/**
 * Every method of the client × every way in which the service answers × every way to write what it repeats: keys, headers
 * and card numbers come back, and nothing that the SDK shows holds one of them.
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
import { type Answer, answers, declines } from './canary/answers.ts';
import {
  cardNumber,
  cardNumbers,
  expiry,
  headerKey,
  paymentToken,
  secretKey,
  securityCode,
  securityKey,
  track1,
  track2,
} from './canary/canaries.ts';
import { Watch } from './canary/watch.ts';
import { writings } from './canary/writings.ts';

const baseUrl = 'https://payments.test';
const by: MoneyOptions = { operationId: 'order-1042' };

const keys = [secretKey, `Bearer ${secretKey}`, securityKey, headerKey];

/** What the service repeats, in an order that brings each to the front of some text. */
const repeated = [...keys, ...cardNumbers, `${cardNumber}${expiry}`, track1.replace(/\^.*\//, '^'), track2];

/** How the text that comes back is written. */
const everyWriting = Object.keys(writings);

function optionsOf(watch: Watch, fetch: NonNullable<PaymentsClientOptions['fetch']>): PaymentsClientOptions {
  return {
    ...watch.options,
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

/** Runs one call whose service repeats a text, and sees what is shown; answers with the error. */
async function watchCall(
  watch: Watch,
  call: (options: PaymentsClientOptions) => PromiseLike<unknown>,
  answer: () => Response,
): Promise<unknown> {
  const promise = call(optionsOf(watch, async () => answer()));
  watch.see('promise', promise);
  const error = await failureOf(promise);
  watch.see('error', error);
  return error;
}

/** The texts that come back in one writing, one after the other, and all together. */
function textsIn(writing: string): string[] {
  // In base64 a card number is known to the call that sent it alone, as those of Transact below.
  const all = writing === 'in base64' ? keys : repeated;
  const texts = all.map((text) => `it was ${text}`);
  return [...texts, all.join(' and ')].map((text) => writings[writing]?.(text) ?? text);
}

type Call = (payments: PaymentsClient) => PromiseLike<unknown>;

/** The calls of all methods, and a request that no module covers. */
const calls: readonly (readonly [name: string, call: Call])[] = [
  ...(Object.keys(everyMethod) as RouteName[]).map((name): readonly [string, Call] => [
    name,
    (payments) => everyMethod[name](payments, by),
  ]),
  ['request', (payments) => payments.request({ method: 'POST', path: '/v1/payouts', body: {} }, by)],
];

/** Of the pairs of a call and a text one way to answer meets every eighth: among all ways each pair comes up several times. */
const share = 8;

/**
 * Each call with one writing of one text, so that all of them come up; in the short form a share of them, beginning with another one for
 * each way to answer; in the long form each text with a share of the calls.
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
  const step = bySize({ short: 2 * share, all: 1 });
  for (let index = way % step; index < Math.max(texts.length, calls.length); index += step) {
    const [, call] = calls[index % calls.length] ?? [];
    const text = texts[index % texts.length];
    if (call !== undefined && text !== undefined) yield { call, text };
  }
}

/** A `DELETE` may be answered without an object, and some answers are right for a request of one's own. */
function isResult(error: unknown, { what }: Answer): boolean {
  return error === undefined && what.startsWith('200');
}

describe('what the service repeats is not shown by the client', () => {
  it.each(answers)('$what', { timeout: 600_000 }, async (way) => {
    skipBackOff();
    const watch = new Watch().processToo();
    for (const { call, text } of rounds(answers.indexOf(way))) {
      const error = await watchCall(
        watch,
        (options) => call(new PaymentsClient(options)),
        () => way.answer(text),
      );
      if (!isResult(error, way)) expect(error).toBeInstanceOf(way.error);
    }
    expect(watch.places).toEqual(
      expect.arrayContaining(['log.debug', 'log.error', 'hook.request', 'hook.error', 'promise', 'error']),
    );
    expect(watch.leaks()).toEqual([]);
  });
});

describe('what the service repeats of a card is not shown by Transact', () => {
  const amount = '12.00';
  const card = { ccnumber: cardNumber, ccexp: expiry, cvv: securityCode };
  const cases: readonly { params: SaleParams; texts: readonly string[] }[] = [
    {
      params: { amount, ...card },
      texts: [`cvv ${securityCode}, ${expiry}`, cardNumber, track2, securityKey],
    },
    { params: { amount, payment_token: paymentToken }, texts: [`token ${paymentToken}`, securityKey] },
  ];

  const ways = [...answers, ...declines];

  it.each(ways)('$what', async (way) => {
    skipBackOff();
    const watch = new Watch().processToo();
    for (const { params, texts } of cases) {
      const written = texts.flatMap((one) => everyWriting.map((how) => writings[how]?.(one) ?? one));
      for (const text of everyNth([...new Set(written)], 2 * share, ways.indexOf(way))) {
        await watchCall(
          watch,
          ({ secretKey: _, ...options }) => new Transact({ ...options, throwOnDecline: true }).sale(params),
          () => way.answer(text),
        );
      }
    }
    const errors = watch.shown('error').filter((error) => error instanceof PaymentsError);
    expect(errors.length).toBeGreaterThan(everyWriting.length / bySize({ short: 2 * share, all: 1 }));
    expect(watch.leaks()).toEqual([]);
  });
});
