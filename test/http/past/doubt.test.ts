/** What ends a doubt about an operation in a process, and what does not. */

import { type PaymentsClient, PaymentsError } from 'payments-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { useScriptedService } from '../../support/scripted-service.ts';

const service = useScriptedService();
const params = { charge_id: 'ch_1' } as const;
const by = { operationId: 'return-77' };
const refused = () => Response.json({ error: { code: 'RATE_LIMITED' } }, { status: 429 });
const failed = () => new Response('', { status: 500 });
const declined = () => Response.json({ error: { code: 'CARD_DECLINED' } }, { status: 402 });
const replayed = (status: number, body: object = { error: { code: 'NOT_NOW' } }) =>
  Response.json(body, { status, headers: { 'idempotent-replayed': 'true' } });

async function outcomesOf(...calls: readonly (() => PromiseLike<unknown>)[]) {
  const outcomes: string[] = [];
  for (const call of calls) outcomes.push((await failureOf(call(), PaymentsError)).outcome);
  return outcomes;
}

/** An answer that a test gives once its request has arrived. */
function slowAnswer() {
  let arrive = () => {};
  let answer = (_: Response) => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const response = new Promise<Response>((resolve) => (answer = resolve));
  const wait = () => {
    arrive();
    return response;
  };
  return { arrived, answer, wait };
}

describe('the doubt about an operation', () => {
  it('remains while another call of it is under way', async () => {
    const { refunds } = service.createClient();
    const { arrived, answer, wait } = slowAnswer();
    service.answers(wait, refused());
    const first = refunds.create(params, by);
    await arrived;
    expect(await outcomesOf(() => refunds.create(params, by))).toEqual(['unknown']);
    answer(refused());
    expect(
      await outcomesOf(
        () => first,
        () => refunds.create(params, by),
      ),
    ).toEqual(['not_executed', 'not_executed']);
  });

  it('remains when an older call ends', async () => {
    const { refunds } = service.createClient();
    const { arrived, answer, wait } = slowAnswer();
    service.answers(wait, declined(), failed(), refused());
    const call = () => refunds.create(params, by);
    const first = call();
    await arrived;
    expect(await outcomesOf(call, call)).toEqual(['not_executed', 'unknown']);
    answer(refused());
    expect(await outcomesOf(() => first, call)).toEqual(['unknown', 'unknown']);
  });

  it.each([
    [400, 'not_executed'],
    [422, 'not_executed'],
    [408, 'unknown'],
    [409, 'unknown'],
    [429, 'unknown'],
    [500, 'unknown'],
  ])('counts a replayed %i after a failure as %s', async (status, outcome) => {
    const { refunds } = service.createClient();
    service.answers(failed(), replayed(status));
    expect(
      await outcomesOf(
        () => refunds.create(params, by),
        () => refunds.create(params, by),
      ),
    ).toEqual(['unknown', outcome]);
  });

  it.each<readonly [what: string, answer: () => Response, call: (p: PaymentsClient) => PromiseLike<unknown>]>(
    [
      ['a decline of a PUT', declined, (p) => p.request({ method: 'PUT', path: '/v1/payouts/1' }, by)],
      ['a replayed 402 without a reason', () => replayed(402, {}), (p) => p.refunds.create(params, by)],
      [
        'a replayed 503 of a service that cannot check keys',
        () => replayed(503, { error: { code: 'IDEMPOTENCY_STORE_UNAVAILABLE' } }),
        (p) => p.refunds.create(params, by),
      ],
    ],
  )('does not end with %s', async (_what, answer, call) => {
    const payments = service.createClient();
    service.answers(failed(), answer(), refused());
    const repeat = () => call(payments);
    expect(await outcomesOf(repeat, repeat, repeat)).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('ends with a decline only while the service knows the key of the first call', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const { refunds } = service.createClient({ keyLifetime: 60_000 });
    for (const [after, outcome] of [
      [60_000, 'not_executed'],
      [60_001, 'unknown'],
    ] as const) {
      const call = () => refunds.create(params, { operationId: `after-${after}` });
      service.arrivals.length = 0;
      service.answers(failed(), declined());
      await outcomesOf(call);
      vi.setSystemTime(Date.now() + after);
      expect(await outcomesOf(call)).toEqual([outcome]);
    }
  });
});
