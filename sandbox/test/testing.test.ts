/** What the package gives to tests of an integration: whole and valid things, and matchers that tell why they do not match. */

import { ConfigurationError, InvalidRequestError, PaymentsClient, PaymentsError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
import type { SandboxKind } from 'payments-client-sandbox';
import {
  createTestClient,
  make,
  makeError,
  makeEvent,
  matchers,
  type PaymentsMatchers,
} from 'payments-client-sandbox/testing';
import { describe, expect, it } from 'vitest';
import { anything } from '../../test/support/anything.ts';
import { catalogTypes } from '../../test/support/event-catalog.ts';
import { failureOf } from '../../test/support/failure.ts';

describe('createTestClient', () => {
  it('gives a client whose calls only its own sandbox sees', async () => {
    const [one, other] = [
      createTestClient(),
      createTestClient({ sandbox: { secretKey: 'sk_v1_test_mine' } }),
    ];
    const params = { amount: 1200, currency: 'usd' };
    const intent = await one.payments.paymentIntents.create(params, { operationId: 'order-1' });
    expect(one.sandbox.get('payment_intent', intent.id)).toMatchObject({ amount: 1200 });
    expect(other.sandbox.get('payment_intent', intent.id)).toBeUndefined();
    expect((await one.payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' })).approved).toBe(
      true,
    );
    expect(other.sandbox.secretKey).toBe('sk_v1_test_mine');
    expect((await other.payments.paymentIntents.list()).items).toEqual([]);
  });

  it('does not retry unless it is told to', async () => {
    for (const [maxRetries, attempts] of [
      [undefined, 1],
      [1, 2],
    ] as const) {
      const { payments, sandbox } = createTestClient({
        client: { ...(maxRetries !== undefined && { maxRetries }) },
      });
      sandbox.faults.inject({ kind: 'unavailable', times: 9, retryAfter: 0 });
      const error = await failureOf(payments.refunds.retrieve('rf_1'), PaymentsError);
      expect(error).toMatchObject({ attempts });
    }
  });
});

const kinds: readonly SandboxKind[] = [
  'checkout_session',
  'payment_intent',
  'charge',
  'refund',
  'customer',
  'invoice',
  'subscription',
  'credit_note',
  'terminal_batch',
  'product',
  'price',
  'payment_method',
  'terminal',
  'settlement_profile',
  'api_key',
  'webhook_endpoint',
  'account',
  'connection',
  'account_link',
];

describe('make', () => {
  it.each(kinds)('a %s that a client would give, and never two with one id', (kind) => {
    const [one, other] = [make(kind), make(kind)];
    expect(one.object).toBe(kind);
    expect(one.id).not.toBe(other.id);
  });

  it('has the fields that it is given, and refuses what does not fit', () => {
    expect(make('refund', { amount: 500, status: 'failed' })).toMatchObject({
      amount: 500,
      status: 'failed',
    });
    expect(() => make('refund', { amount: 1.5 })).toThrow(/amount/);
  });
});

describe('makeEvent', () => {
  it.each(catalogTypes)('a %s that a receiver takes', async (type) => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const event = makeEvent(type);
    expect(event.type).toBe(type);
    const seen: unknown[] = [];
    const webhooks = new Webhooks({ secret });
    const receiver = webhooks.receiver({
      store: memoryStore(),
      on: { [type]: (arrived: unknown) => seen.push(arrived) },
    });
    const body = JSON.stringify(event);
    const { outcome } = await receiver.handle({ body, headers: await webhooks.sign(body) });
    expect(outcome).toBe('handled');
    expect(seen).toEqual([event]);
  });

  it('is about an object with the fields that it is given', () => {
    expect(makeEvent('refund.failed', { amount: 500 }).data.object.amount).toBe(500);
  });

  it.each<[message: string, call: () => unknown]>([
    [
      "createTestClient.sandbx: expected a known name, got an unknown option (did you mean 'sandbox'?)",
      () => createTestClient(anything({ sandbx: {} })),
    ],
    [
      'createTestClient.client: expected an object, got the number 5.',
      () => createTestClient(anything({ client: 5 })),
    ],
    ...['baseUrl', 'fetch', 'secretKey', 'securityKey'].map((name): [string, () => unknown] => [
      `createTestClient.client.${name}: expected nothing, since that of the sandbox is used, got `,
      () => createTestClient(anything({ client: { [name]: 'https://shop.example' } })),
    ]),
  ])('refuses a wrong option: %s', async (message, call) => {
    const refused = Promise.resolve().then(call);
    await expect(refused).rejects.toThrow(ConfigurationError);
    await expect(refused).rejects.toThrow(message);
  });

  it.each<[message: RegExp, call: () => unknown]>([
    [
      /^refund\.amout: .* \(did you mean 'amount'\?\)\. Correct/,
      () => make('refund', anything({ amout: 5 })),
    ],
    [
      /^refund\.amout: .* \(did you mean 'amount'\?\)\. Correct/,
      () => makeEvent('refund.failed', anything({ amout: 5 })),
    ],
    ...[null, 5, 'amount', [], () => 1].flatMap((wrong): [RegExp, () => unknown][] => [
      [/^refund: expected an object, got /, () => make('refund', anything(wrong))],
      [/^product: expected an object, got /, () => make('product', anything(wrong))],
      [
        /^sandbox\.trigger\.fields: expected an object, got /,
        () => makeEvent('refund.failed', anything(wrong)),
      ],
    ]),
    [
      /^product: expected fields with values that JSON can hold, got an object\./,
      () => make('product', { tea: () => 'green' }),
    ],
    [
      /^sandbox\.trigger\.fields: expected fields with values that JSON can hold, got an object\./,
      () => makeEvent('refund.failed', anything({ reason: () => 1 })),
    ],
    [
      /^toHaveOutcome\.outcome: expected .*executed.*, got 'unknwon'/,
      () => matchers.toHaveOutcome(new Error('x'), anything('unknwon')),
    ],
    [/^toHaveIssue\.path: expected a path/, () => matchers.toHaveIssue(new Error('x'), anything(undefined))],
    [/kind: expected one of .*, got 'refnd'\./, () => make(anything('refnd'))],
    [/type: expected one of .*, got a string of 11 characters\./, () => makeEvent(anything('refund.gone'))],
  ])('refuses what no object can be: %s', (message, call) => {
    expect(call).toThrow(message);
  });

  it('takes any field of a kind whose fields are not shown', () => {
    expect(make('product', { tea: 'green' })).toMatchObject({ tea: 'green' });
  });
});

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends PaymentsMatchers<R> {
    /** Not there; it is what the other type parameter is for. */
    readonly __received?: T;
  }
}

describe('matchers', () => {
  expect.extend(matchers);
  const refused = () =>
    createTestClient().payments.refunds.create({ charge_id: 'ch_1', amount: 0.5 }, { operationId: 'o' });

  it('tell outcomes and wrong values of errors', async () => {
    await expect(refused()).rejects.toHaveOutcome('not_executed');
    await expect(refused()).rejects.not.toHaveOutcome('unknown');
    await expect(refused()).rejects.toHaveIssue('amount');
    for (const other of ['currency', 'a', 'amounts']) await expect(refused()).rejects.not.toHaveIssue(other);
    expect(() => new PaymentsClient({ baseUrl: 'ftp://x', secretKey: 'sk_v1_test_1' })).toThrow(
      PaymentsError,
    );
  });

  it('tell each outcome from the others', () => {
    const outcomes = ['not_executed', 'executed', 'unknown', 'not_an_operation'] as const;
    for (const outcome of outcomes) {
      const error = makeError('TimeoutError', { outcome });
      const passing = outcomes.filter((other) => matchers.toHaveOutcome(error, other).pass);
      expect(passing).toEqual([outcome]);
    }
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'expected an error whose outcome is unknown, got InvalidRequestError with the outcome not_executed: refunds.create: amount',
      async () => expect(await failureOf(refused(), InvalidRequestError)).toHaveOutcome('unknown'),
    ],
    [
      "expected anything but an error that names 'amount', got InvalidRequestError",
      async () => expect(await failureOf(refused(), InvalidRequestError)).not.toHaveIssue('amount'),
    ],
    [
      'expected an error whose outcome is unknown, got no error of payments-client: TypeError: x',
      async () => expect(new TypeError('x')).toHaveOutcome('unknown'),
    ],
    [
      "expected an error that names 'a', got no error of payments-client: number",
      async () => expect(7).toHaveIssue('a'),
    ],
  ])('say: %s', async (message, run) => {
    await expect(run()).rejects.toThrow(message);
  });
});
