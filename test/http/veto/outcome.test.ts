/** What a refusal of `beforeCall` says of its operation, and that a journal has no trace of it. */

import {
  CallRefusedError,
  type CallToCheck,
  ConfigurationError,
  type PaymentsClient,
  PaymentsError,
} from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams, saleParams } from '../../support/fixtures.ts';
import { json } from '../../support/mock-service.ts';
import { startAnew } from '../../support/new-process.ts';
import { useScriptedService } from '../../support/scripted-service.ts';

const service = useScriptedService();
const by = { operationId: 'return-1' };
const refuse = () => {
  throw new Error('not today');
};
const create = (payments: PaymentsClient, params: object = refundParams) =>
  payments.refunds.create(anything(params), by);

/** The open operations of a journal. */
async function openOf(payments: PaymentsClient) {
  const all = [];
  for await (const one of payments.journal.open()) all.push(one);
  return all;
}

it('a refusal is in doubt while another call of the operation waits for its own answer', async () => {
  startAnew();
  let pass = () => {};
  const answers = [new Promise<void>((resolve) => (pass = resolve)), Promise.reject(new Error('not today'))];
  const payments = service.createClient({ beforeCall: async () => answers.shift() });
  service.answers(json(refund));
  const waiting = create(payments);
  // The other one is asked first.
  await Promise.resolve();
  expect((await failureOf(create(payments), CallRefusedError)).outcome).toBe('unknown');
  pass();
  expect(await waiting).toMatchObject({ id: refund.id });
});

describe.each([
  ['without a journal', () => ({})],
  ['with a journal, in a new process', () => ({ journal: createJournal({ store }) })],
])('a refusal %s', (_name, optionsOf) => {
  const isJournaled = 'journal' in optionsOf();

  it.each([
    ['not_executed', 'nothing was sent before', undefined],
    ['not_executed', 'an earlier call was refused', () => json({ code: 'BAD' }, { status: 400 })],
    ['unknown', 'an earlier call may have acted', () => json({}, { status: 500 })],
    ['executed', 'an earlier call acted', () => json(refund)],
  ] as const)('is %s if %s', async (outcome, _what, earlier) => {
    store = memoryStore();
    startAnew();
    const options = optionsOf();
    if (earlier !== undefined) {
      service.answers(earlier());
      await create(service.createClient(options)).catch(() => {});
    }
    if (isJournaled) startAnew();
    const before = service.arrivals.length;
    const payments = service.createClient({ ...options, beforeCall: refuse });
    expect((await failureOf(create(payments), CallRefusedError)).outcome).toBe(outcome);
    const wrong = service.createClient({ ...options, beforeCall: () => anything(false) });
    expect((await failureOf(create(wrong), ConfigurationError)).outcome).toBe(outcome);
    expect(service.arrivals).toHaveLength(before);
    if (isJournaled) expect(await openOf(payments)).toHaveLength(outcome === 'unknown' ? 1 : 0);
  });
});

let store = memoryStore();

it('leaves no trace: a call with other parameters is then the first one of its operation', async () => {
  const journal = createJournal({ store: memoryStore() });
  const ends = [refuse, () => anything(false)];
  for (const beforeCall of ends) await create(service.createClient({ journal, beforeCall })).catch(() => {});
  service.answers(json(refund));
  expect(await create(service.createClient({ journal }), { charge_id: 'ch_2', amount: 5 })).toEqual(refund);
});

it('does not put an operation in doubt whose call was refused while it waited', async () => {
  const beforeCall = async () => refuse();
  const error = await failureOf(create(service.createClient({ beforeCall })), CallRefusedError);
  expect([error.outcome, service.arrivals]).toEqual(['not_executed', []]);
  service.answers(json({ code: 'BAD' }, { status: 400 }));
  const refused = await failureOf(create(service.createClient()), PaymentsError);
  expect(refused.outcome).toBe('not_executed');
});

describe('an operation of a journal', () => {
  /** A client whose `beforeCall` keeps what it saw, and refuses from then on when told to. */
  function watched(journal = createJournal({ store: memoryStore() })) {
    const state = { calls: new Array<CallToCheck>(), isRefused: false };
    const beforeCall = (call: CallToCheck) => {
      state.calls.push(call);
      if (state.isRefused) refuse();
    };
    return { state, payments: service.createClient({ journal, beforeCall }) };
  }

  it('is not planned if it is refused, and says so', async () => {
    const { state, payments } = watched();
    state.isRefused = true;
    const planned = payments.journal.plan().refunds.create(refundParams, by);
    expect((await failureOf(planned, CallRefusedError)).outcome).toBe('not_executed');
    expect(await openOf(payments)).toEqual([]);
    state.isRefused = false;
    await payments.journal.plan().refunds.create(refundParams, by);
    expect(await openOf(payments)).toMatchObject([{ state: 'planned' }]);
    expect(service.arrivals).toEqual([]);
  });

  it('that is resumed is asked about as it was recorded, by its operationId, and stays as it was', async () => {
    const { state, payments } = watched();
    await payments.journal.plan().refunds.create({ ...refundParams, amount: 100 }, by);
    const [operation = expect.fail('not planned')] = await openOf(payments);
    state.isRefused = true;
    expect(await failureOf(operation.resume(), CallRefusedError)).toMatchObject({ outcome: 'not_executed' });
    expect(await openOf(payments)).toMatchObject([{ state: 'planned' }]);
    state.isRefused = false;
    service.answers(json(refund));
    expect(await operation.resume()).toEqual(refund);
    const seen = state.calls.map(({ callId: _, ...call }) => call);
    expect(seen).toEqual([seen[0], seen[0], seen[0]]);
    expect(seen[0]).toEqual({
      operation: 'refunds.create',
      method: 'POST',
      path: '/v1/refunds',
      movesMoney: true,
      operationId: 'return-1',
      operationKey: 'pc1:refunds.create:return-1',
      params: { ...refundParams, amount: 100 },
    });
  });

  it('that succeeded is asked about again, and its recorded result is not given to a refused repeat', async () => {
    const { state, payments } = watched();
    service.answers(json(refund));
    await create(payments);
    state.isRefused = true;
    expect((await failureOf(create(payments), CallRefusedError)).outcome).toBe('executed');
    state.isRefused = false;
    expect(await create(payments)).toMatchObject({ id: refund.id });
    expect(state.calls.map(({ operation }) => operation)).toEqual([
      'refunds.create',
      'refunds.create',
      'refunds.create',
      'refunds.retrieve',
    ]);
  });

  it('of the form endpoint is refused before it is recorded', async () => {
    const { state, payments } = watched();
    state.isRefused = true;
    const error = await failureOf(payments.transact.sale(saleParams, by), CallRefusedError);
    expect(error.outcome).toBe('not_executed');
    expect(await openOf(payments)).toEqual([]);
    expect(state.calls).toMatchObject([{ operationId: 'return-1', params: { amount: '12.00' } }]);
  });
});
