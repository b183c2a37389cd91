/** A secret is the argument of a function without a request, or is counted by the velocity guard. */

import * as main from 'payments-client';
import * as fraud from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { recordingStore } from './calls.ts';
import { type Canary, cardNumber, everyCanary, person, securityKey } from './canaries.ts';
import { Outputs } from './outputs.ts';
import { noSecretComesOutOf, type Place, placesOf } from './places.ts';

/** Functions that throw or return at once. */
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
const wrappings: readonly ((text: string) => unknown)[] = [
  (text) => text,
  (text) => ` ${text}\n`,
  (text) => Number(text),
  (text) => [text],
  (text) => ({ text }),
  (text) => new String(text),
];

/** Personal names may look like accepted words, and a short number like an amount. */
const isUnmistakable = ({ kind, text }: Canary) => kind !== 'short digits' && !/^[A-Za-z]+$/.test(text);

describe('a secret is passed to', () => {
  const place =
    (call: (given: never) => unknown): Place<unknown> =>
    (given, out) => {
      try {
        call(given as never);
      } catch (error) {
        out.add('error', error);
      }
    };
  noSecretComesOutOf(placesOf(functions, place), {
    given: everyCanary.filter(isUnmistakable).flatMap(({ text }) => wrappings.map((wrap) => wrap(text))),
    from: ['error'],
  });
});

describe('the velocity guard', () => {
  const attempt = { ip: '203.0.113.77', subjects: { email: person.email }, amount: '12.00' };
  const email = {
    name: 'email',
    per: 'email',
    counts: 'attempts',
    limit: 1,
    windowMs: 1000,
    action: 'review',
  } as const;
  const rules = [...fraud.typicalVelocityRules({ dailyAmountPerCard: '10.00' }), email];

  function guardFor(out: Outputs) {
    const store = recordingStore(out);
    const guard = new fraud.VelocityGuard({ secret: securityKey, rules, store });
    out.add('guard', guard);
    return guard;
  }

  it('stores and outputs only hashes of cards, addresses and ids', async () => {
    const out = new Outputs();
    const guard = guardFor(out);
    const grouped = cardNumber.replace(/(\d{4})(?=\d)/g, '$1-');
    for (const card of [{ number: cardNumber }, { token: cardNumber }, { number: grouped }]) {
      for (let count = 0; count < 4; count += 1) {
        const verdict = await guard.check({ ...attempt, card, id: `${cardNumber}-${count}` });
        out.add('verdict', verdict);
        await guard.record(verdict.ticket, 'declined');
      }
    }
    expect(JSON.stringify(out.of('verdict'))).toMatch(/[\da-f]{64}/);
    expect(out.of('stored').length).toBeGreaterThan(10);
    expect(JSON.stringify(out.of('verdict'))).not.toContain('203.0.113.77');
    expect(out.leaks()).toEqual([]);
  });

  it.each<[what: string, wrong: object]>([
    ['a malformed number', { card: { number: `${cardNumber}x` } }],
    ['a text as card', { card: cardNumber }],
    ['a number as card number', { card: { number: Number(cardNumber) } }],
    ['a number and a token', { card: { number: cardNumber, token: cardNumber } }],
    ['an amount', { card: { token: cardNumber }, amount: cardNumber }],
    ['a currency', { card: { token: cardNumber }, currency: cardNumber }],
    ['a list as subject', { subjects: { email: [person.email] } }],
    ['a list as address', { ip: [cardNumber] }],
  ])('refuses %s without quoting it', async (_what, wrong) => {
    const out = new Outputs();
    const error = await guardFor(out)
      .check(wrong)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(main.ConfigurationError);
    out.add('error', error);
    expect(out.leaks()).toEqual([]);
  });
});
