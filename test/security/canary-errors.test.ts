/**
 * Every exported error class occurs in these tests, so a new class is searched too. The helper functions and the fraud tools do
 * not output their arguments either. `test/browser/entry` tests the browser's loaders.
 */

import * as main from 'payments-client';
import * as fraud from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import * as webhooks from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { type Canary, cardNumber, everyCanary, person, securityKey } from './canary/canaries.ts';
import { OutputCollector } from './canary/output-collector.ts';
import { answers, declines } from './canary/responses.ts';

/** Classes that occur in other tests of this folder, and where. */
const testedElsewhere: Readonly<Record<string, string>> = {
  PaymentsError: 'the base of all',
  ConfigurationError: 'canary-inputs',
  InvalidRequestError: 'canary-inputs',
  PaginationError: 'canary-echo, where a page is incomplete',
  IdempotencyError: 'the base of five',
  TimeoutError: 'canary-wire',
  RequestAbortedError: 'canary-wire',
  WebhookVerificationError: 'canary-webhooks',
  CardholderAuthenticationError: 'holds a reason alone: test/transact/three-d-secure',
  ...Object.fromEntries(
    [
      'JournalError',
      'OperationInProgressError',
      'OperationMismatchError',
      'OperationUnresolvedError',
      'OperationAccountError',
    ].map((name) => [name, 'canary-journal']),
  ),
};

it('every exported error class occurs in these tests', () => {
  const classes = [main, fraud, webhooks]
    .flatMap((entry): unknown[] => Object.values(entry))
    .filter(
      (one): one is abstract new () => Error => typeof one === 'function' && one.prototype instanceof Error,
    );
  const seenClasses = new Set([...answers, ...declines].map(({ error }) => error.name));
  const missing = classes
    .map(({ name }) => name)
    .filter((name) => !seenClasses.has(name) && !(name in testedElsewhere));
  expect(classes.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

/** Functions without a request that throw or return at once. */
const functions: Readonly<Record<string, (given: never) => unknown>> = {
  toDecimalAmount: (given) => main.toDecimalAmount(given, given),
  deriveIdempotencyKey: (given) => main.deriveIdempotencyKey('refunds.create', Object([given])),
  parseChargeback: (given) =>
    fraud.parseChargeback({ ...Object(given), due_date: given, amount: given, reason: [given] }),
  'parseChargeback of a string': (given) => fraud.parseChargeback(given),
  assessFraud: (given) => fraud.assessFraud(given),
  'assessFraud of a charge': (given) => fraud.assessFraud(Object({ object: given, status: given })),
  typicalVelocityRules: (given) => fraud.typicalVelocityRules({ dailyAmountPerCard: given }),
  fraudFigures: (given) =>
    fraud.fraudFigures([Object({ avsresponse: [given], risk_score: given, approved: given })]),
  'new VelocityGuard': (given) =>
    new fraud.VelocityGuard({ secret: given, rules: given, store: memoryStore() }),
};

/** A value as a string, as another type, and nested. */
const forms: readonly ((text: string) => unknown)[] = [
  (text) => text,
  (text) => ` ${text}\n`,
  (text) => Number(text),
  (text) => [text],
  (text) => ({ text }),
  (text) => new String(text),
];

/** Personal names may look like accepted words. */
const isNoWord = ({ text }: Canary) => !/^[A-Za-z]+$/.test(text);

describe('a helper function does not output its arguments:', () => {
  it.each(Object.entries(functions))('%s', async (_name, call) => {
    const collector = new OutputCollector().withProcess();
    let failures = 0;
    for (const { text } of everyCanary.filter(
      (canary) => isNoWord(canary) && canary.kind !== 'short digits',
    )) {
      for (const form of forms) {
        try {
          await call(form(text) as never);
        } catch (error) {
          failures += 1;
          collector.add('error', error);
        }
      }
    }
    expect(failures).toBeGreaterThan(10);
    expect(collector.leaks()).toEqual([]);
  });
});

describe('the attempt counter', () => {
  it('stores and outputs only hashes', async () => {
    const collector = new OutputCollector();
    const memory = memoryStore();
    const store: fraud.VelocityGuardOptions['store'] = {
      check: (id, entries) => {
        collector.add('record', [id, entries]);
        return memory.check(id, entries);
      },
    };
    const guard = new fraud.VelocityGuard({ secret: securityKey, store });
    for (let count = 0; count < 20; count += 1) {
      const attempt = { ip: '203.0.113.77', subjects: { email: person.email }, amount: '12.00' };
      const verdict = await guard.check({ ...attempt, card: { number: cardNumber } });
      collector.add('verdict', verdict);
      await guard.record(verdict.ticket, 'declined');
    }
    collector.add('objects', [guard, memory]);
    expect(collector.outputOf('record').length).toBeGreaterThan(10);
    expect(collector.leaks()).toEqual([]);
  });
});
