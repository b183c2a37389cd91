/** What a process says of an operation. */

import fc from 'fast-check';
import { InvalidRequestError, PaymentsError, RateLimitError, ServerError } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { customer, intentParams, refund } from '../../support/fixtures.ts';
import { startAnew } from '../../support/new-process.ts';
import { faults, follow, start } from '../../support/operation-history.ts';
import { useScriptedService } from '../../support/scripted-service.ts';
import { bySize } from '../../support/size.ts';

const service = useScriptedService();
const params = { charge_id: 'ch_1' } as const;
const by = { operationId: 'return-77' };
const refused = () => Response.json({ error: { code: 'RATE_LIMITED' } }, { status: 429 });
const failed = () => new Response('', { status: 500 });

async function outcomesOf(...calls: readonly (() => PromiseLike<unknown>)[]) {
  const outcomes: string[] = [];
  for (const call of calls) outcomes.push((await failureOf(call(), PaymentsError)).outcome);
  return outcomes;
}

// First, since it is about the first client that a process makes.
it('remembers in a process that froze its global object', async () => {
  const shared = Symbol.for('payments-client/history/1');
  Object.defineProperty(globalThis, shared, { configurable: true, writable: false, value: undefined });
  onTestFinished(startAnew);
  const [{ refunds }, again] = [service.createClient(), service.createClient()];
  service.answers(failed(), refused());
  expect(
    await outcomesOf(
      () => refunds.create(params, by),
      () => again.refunds.create(params, by),
    ),
  ).toEqual(['unknown', 'unknown']);
});

const lost = 'create lost: ConnectionError unknown';

const histories: Readonly<Record<string, string>> = {
  'a refusal is the whole story of an operation that was never sent':
    'create 429: RateLimitError not_executed; create 403: PermissionError not_executed; create refused: ConnectionError not_executed; bad create: InvalidRequestError not_executed; create ok: rf_1',
  'a lost reply stays in doubt whatever refuses the repeat': `${lost}; create 429: RateLimitError unknown; create 403: PermissionError unknown; create refused: ConnectionError unknown; bad create: InvalidRequestError unknown; create ok: rf_1`,
  'a success stays a success': `create ok: rf_1; create 429: RateLimitError executed; create 500: ServerError executed; create drop: ConnectionError executed; create refused: ConnectionError executed; bad create: InvalidRequestError executed; other create 403: PermissionError executed`,
  'a result that breaks off is a success':
    'create half: ResponseValidationError executed; create 429: RateLimitError executed',
  'a page in place of the result is a doubt':
    'create empty: ResponseValidationError unknown; create 429: RateLimitError unknown',
  'a decline of a repeat ends the doubt':
    'create drop: ConnectionError unknown; create decline: PaymentDeclinedError not_executed; create 429: RateLimitError not_executed',
  'a replayed decline ends the doubt':
    'create decline: PaymentDeclinedError not_executed; create drop: ConnectionError unknown; create ok: PaymentDeclinedError not_executed',
  'a proxy that wants to be paid ends no doubt': `${lost}; create page: ApiError unknown; create 429: RateLimitError unknown`,
  'a repeat that succeeds ends the doubt': `${lost}; create ok: rf_1; create 429: RateLimitError executed`,
};

describe('without a journal', () => {
  it.each(Object.entries(histories))('%s', (_promise, history) =>
    follow({ journal: undefined, isRestarted: false }, history),
  );

  it('a new process knows nothing of the calls before', () =>
    follow(
      { journal: undefined, isRestarted: true },
      `${lost}; create 429: RateLimitError not_executed; create ok: rf_1; create 429: RateLimitError not_executed`,
    ));

  it('no error of one process denies what its operation did, whatever happened to it', async () => {
    const step = fc.tuple(
      fc.constantFrom('create', 'other create', 'bad create'),
      fc.constantFrom('ok', ...faults),
    );
    const property = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
      const { service, take } = start({ journal: undefined, isRestarted: false });
      for (const [call, answer] of steps) {
        const [verb = '', word = ''] = call.includes(' ') ? call.split(' ') : ['', ''];
        const end = verb === '' ? await take(call, answer) : await take(verb, `${word} ${answer}`);
        // With another body the service of this test replays, where a real one refuses.
        if (service.executed.length > 0) expect(end).not.toMatch(/Error not_executed$/);
      }
    });
    await fc.assert(property, { numRuns: bySize({ short: 50, all: 500, long: 5000 }) });
  });
});

describe('the memory of a process', () => {
  it('is shared by its clients, and tells base URLs, keys and operations apart', async () => {
    const [payments, again] = [service.createClient(), service.createClient()];
    const elsewhere = service.createClient({ baseUrl: 'https://other.test' });
    const another = service.createClient({ secretKey: 'sk_v1_test_another1' });
    service.answers(failed(), refused());
    expect(
      await outcomesOf(
        () => payments.refunds.create(params, by),
        () => again.refunds.create(params, by),
        () => elsewhere.refunds.create(params, by),
        () => another.refunds.create(params, by),
        () => payments.refunds.create(params, { operationId: 'return-78' }),
        () => payments.paymentIntents.create(intentParams, by),
        () => payments.refunds.create(params, { idempotencyKey: 'pc1:refunds.create:return-77' }),
      ),
    ).toEqual([
      'unknown',
      'unknown',
      'not_executed',
      'not_executed',
      'not_executed',
      'not_executed',
      'unknown',
    ]);
  });

  it('is that of every keyed write, also of one that moves no money', async () => {
    const { customers } = service.createClient();
    service.answers(failed(), refused(), Response.json(customer), refused());
    const create = () => customers.create({}, { operationId: 'customer-1' });
    await failureOf(create(), ServerError);
    const doubted = await failureOf(create(), RateLimitError);
    await create();
    const known = await failureOf(create(), RateLimitError);
    expect([doubted.outcome, known.outcome]).toEqual(['unknown', 'executed']);
    const again = 'call again with the same operationId or key to get its result. This call: ';
    expect(doubted.message).toContain(`An earlier call of this operation may have taken effect: ${again}`);
    expect(known.message).toContain(`An earlier call of this operation took effect: ${again}`);
  });

  it('advises to call again, also if an option was refused', async () => {
    const { customers } = service.createClient();
    service.answers(failed());
    await failureOf(customers.create({}, by), ServerError);
    const wrong = await failureOf(customers.create({}, { ...by, timeout: -1 }), InvalidRequestError);
    expect(wrong.message).toContain('call again with the same operationId');
  });

  it('takes two calls without a name for two operations', async () => {
    const { customers } = service.createClient();
    service.answers(failed(), refused());
    const call = () => customers.create({});
    expect(await outcomesOf(call, call)).toEqual(['unknown', 'not_executed']);
  });

  it('is that of an account, whatever its key, if the journal names the account', async () => {
    const customersBy = (secretKey: string) => {
      const journal = createJournal({ store: memoryStore(), account: 'shop-1' });
      return service.createClient({ journal, secretKey: async () => secretKey }).customers;
    };
    service.answers(Response.json(customer));
    await customersBy('sk_v1_test_unit0001').create({}, by);
    // Refused before the function is asked for the key.
    const repeat = () => customersBy('sk_v1_test_rotated1').create({}, { ...by, timeout: -1 });
    expect(await outcomesOf(repeat)).toEqual(['executed']);
  });

  it('is asked for what is refused before it has a key: a wrong option, a wrong parameter', async () => {
    const payments = service.createClient({ secretKey: async () => 'sk_v1_test_unit0001' });
    const request = { method: 'POST', path: '/v1/payouts', body: {} } as const;
    service.answers(failed());
    for (const name of [by, { idempotencyKey: 'mine' }]) {
      expect(
        await outcomesOf(
          () => payments.request(request, name),
          () => payments.request(request, { ...name, timeout: -1 }),
          () => payments.request({ ...request, body: new Map() }, name),
          () => payments.request({ ...request, path: '/v1/payins' }, { ...name, timeout: -1 }),
        ),
      ).toEqual(['unknown', 'unknown', 'unknown', 'not_executed']);
    }
  });

  it('does not say that an operation took effect before it knows whose call it is', async () => {
    const secretKeys = ['sk_v1_test_merchant1', 'sk_v1_test_merchant2'];
    const payments = service.createClient({ secretKey: async () => secretKeys[0] ?? '' });
    service.answers(Response.json(refund), refused());
    await payments.refunds.create(params, by);
    secretKeys.shift();
    expect(
      await outcomesOf(
        () => payments.refunds.create({ ...params, amount: 0.5 }, by),
        () => payments.refunds.create(params, by),
      ),
    ).toEqual(['unknown', 'unknown']);
  });

  it('is asked for what is refused with two names, or with a name in the wrong place', async () => {
    const { refunds } = service.createClient();
    service.answers(Response.json(refund));
    await refunds.create(params, by);
    expect(
      await outcomesOf(
        () => refunds.create(params, anything({ ...by, idempotencyKey: 'mine' })),
        () => refunds.create(anything({ ...params, ...by }), by),
      ),
    ).toEqual(['executed', 'executed']);
    await refunds.create(params, { idempotencyKey: '77' });
    // A number is another key, and none that a call can have.
    const byNumber = () => refunds.create(params, anything({ idempotencyKey: 77 }));
    expect(await outcomesOf(byNumber)).toEqual(['not_executed']);
  });

  it('doubts a name before it knows whose call it is, also in a client of its own', async () => {
    const perRequest = (secretKey: () => Promise<string>) => service.createClient({ secretKey }).refunds;
    const working = async () => 'sk_v1_test_unit0001';
    const failing = () => Promise.reject(new Error('the vault is closed'));
    service.answers(failed());
    expect(
      await outcomesOf(
        () => perRequest(working).create(params, by),
        () => perRequest(working).create({ ...params, amount: 0.5 }, by),
        () => perRequest(failing).create(params, by),
        () => perRequest(failing).create(params, { operationId: 'return-78' }),
      ),
    ).toEqual(['unknown', 'unknown', 'unknown', 'not_executed']);
  });

  it('does not advise to repeat what the service may have forgotten', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const { refunds } = service.createClient({ keyLifetime: 60_000 });
    for (const [first, outcome] of [
      [failed(), 'unknown'],
      [Response.json(refund), 'executed'],
    ] as const) {
      const call = () => refunds.create(params, { operationId: outcome });
      service.arrivals.length = 0;
      service.answers(first, refused(), failed());
      await call().catch(() => {});
      const wrong = { ...params, amount: 0.5 };
      const refuse = () => failureOf(refunds.create(wrong, { operationId: outcome }), PaymentsError);
      vi.setSystemTime(Date.now() + 60_000);
      expect((await refuse()).message).toMatch(/^An earlier call .*: call again with the same operationId/);
      vi.setSystemTime(Date.now() + 1);
      expect((await refuse()).message).toMatch(/^An earlier call .*: look it up before you send it again\./);
      for (const _repeat of ['refused', 'failed']) {
        const error = await failureOf(call(), PaymentsError);
        expect(error).toMatchObject({ outcome, retryable: false });
        expect(error.message).toMatch(
          /^An earlier call .*: look it up before you send it again\. This call: /,
        );
      }
    }
  });

  it('does not advise to repeat what the service may not know again', async () => {
    const payments = service.createClient();
    service.answers(failed(), refused());
    const call = () => payments.request({ method: 'PUT', path: '/v1/payouts/1', body: {} }, by);
    await failureOf(call(), ServerError);
    const error = await failureOf(call(), RateLimitError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false, retryAfter: undefined });
    expect(error.message).toMatch(
      /^An earlier call of this operation may have moved money: look it up before/,
    );
  });

  it('says both halves: what came before, and what came of this call', async () => {
    const { refunds } = service.createClient();
    service.answers(failed(), refused());
    await failureOf(refunds.create(params, by), ServerError);
    const error = await failureOf(refunds.create(params, by), RateLimitError);
    expect(error.message).toMatch(
      /^An earlier call of this operation may have moved money: call again with the same operationId or key to get its result\. This call: Too many requests\. No money moved by this call/,
    );
    expect(error.stack).toContain(`RateLimitError: ${error.message}\n    at `);
    expect(error.stack).toContain('history.test.ts');
    expect(error).toMatchObject({ retryable: true, status: 429, idempotentReplayed: false });
  });
});
