/**
 * Every class of errors that the package exports is one that these tests let happen, so that a new class is searched too; and
 * the functions that send nothing and the fraud tools show none of what they are given either. The browser's loaders have
 * tests of their own in `test/browser/entry`.
 */

import * as main from 'payments-client';
import * as fraud from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import * as webhooks from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { answers, declines } from './canary/answers.ts';
import { type Canary, cardNumber, everyCanary, person, securityKey } from './canary/canaries.ts';
import { Watch } from './canary/watch.ts';

/** Classes that other tests of this folder let happen, and where. */
const elsewhere: Readonly<Record<string, string>> = {
  PaymentsError: 'the base of all',
  ConfigurationError: 'canary-inputs',
  InvalidRequestError: 'canary-inputs',
  PaginationError: 'canary-echo, where a page is incomplete',
  IdempotencyError: 'the base of five',
  TimeoutError: 'canary-wire',
  RequestAbortedError: 'canary-wire',
  WebhookVerificationError: 'canary-webhooks',
  WebhookInProgressError: 'holds the id of an event alone',
  WebhookLeaseLostError: 'holds the id of an event alone',
  ChargebackFormatError: 'below',
  ...Object.fromEntries(
    [
      ...['JournalError', 'OperationInProgressError', 'OperationMismatchError'],
      ...['OperationUnresolvedError', 'OperationSettledError'],
    ].map((name) => [name, 'canary-journal']),
  ),
};

it('every class of errors happens in one of these tests', () => {
  const classes = [main, fraud, webhooks]
    .flatMap((entry): unknown[] => Object.values(entry))
    .filter(
      (one): one is abstract new () => Error => typeof one === 'function' && one.prototype instanceof Error,
    );
  const met = new Set([...answers, ...declines].map(({ error }) => error.name));
  const unmet = classes.map(({ name }) => name).filter((name) => !met.has(name) && !(name in elsewhere));
  expect(classes.length).toBeGreaterThan(20);
  expect(unmet).toEqual([]);
});

/** Functions that take a value of the caller, and throw or answer at once. */
const functions: Readonly<Record<string, (given: never) => unknown>> = {
  toDecimalAmount: (given) => main.toDecimalAmount(given, given),
  toCardExpiry: (given) => main.toCardExpiry(given, given),
  deriveIdempotencyKey: (given) => main.deriveIdempotencyKey('refunds.create', Object([given])),
  parseChargeback: (given) =>
    fraud.parseChargeback({ ...Object(given), due_date: given, amount: given, reason: [given] }),
  'parseChargeback of a lone value': (given) => fraud.parseChargeback(given),
  assessFraud: (given) => fraud.assessFraud(given),
  'assessFraud of a charge': (given) => fraud.assessFraud(Object({ object: given, status: given })),
  compileFraudPolicy: (given) => fraud.compileFraudPolicy(Object({ avs: given, risk: [given] })),
  countFraud: (given) =>
    fraud.countFraud([Object({ avsresponse: [given], risk_score: given, approved: given })]),
  'new VelocityGuard': (given) => new fraud.VelocityGuard({ secret: given, rules: given }),
};

/** A value as it is, of another type, and inside of something. */
const forms: readonly ((text: string) => unknown)[] = [
  (text) => text,
  (text) => ` ${text}\n`,
  (text) => Number(text),
  (text) => [text],
  (text) => ({ text }),
  (text) => new String(text),
];

/** Names of people may look like the words that these functions take. */
const isNoWord = ({ text }: Canary) => !/^[A-Za-z]+$/.test(text);

describe('a function shows nothing of what it is given', () => {
  it.each(Object.entries(functions))('%s', async (_name, call) => {
    const watch = new Watch().processToo();
    let failures = 0;
    for (const { text } of everyCanary.filter(
      (canary) => isNoWord(canary) && canary.kind !== 'short digits',
    )) {
      for (const form of forms) {
        try {
          await call(form(text) as never);
        } catch (error) {
          failures += 1;
          watch.see('error', error);
        }
      }
    }
    expect(failures).toBeGreaterThan(10);
    expect(watch.leaks()).toEqual([]);
  });
});

describe('what counts attempts', () => {
  it('keeps hashes alone, and tells them alone', async () => {
    const watch = new Watch();
    const memory = memoryStore();
    const store: fraud.VelocityStore = {
      countAttempt: (id, entries) => {
        watch.see('record', [id, entries]);
        return memory.countAttempt(id, entries);
      },
      takeBackAttempt: (id, keys) => {
        watch.see('remove', [id, keys]);
        return memory.takeBackAttempt(id, keys);
      },
    };
    const guard = new fraud.VelocityGuard({ secret: securityKey, store });
    for (let count = 0; count < 20; count += 1) {
      const attempt = { ip: '203.0.113.77', subjects: { email: person.email }, amount: '12.00' };
      const verdict = await guard.check({ ...attempt, card: { number: cardNumber } });
      watch.see('verdict', verdict);
      await guard.record(verdict.ticket, 'declined');
    }
    watch.see('objects', [guard, memory]);
    expect(watch.shown('record').length).toBeGreaterThan(10);
    expect(watch.leaks()).toEqual([]);
  });
});
