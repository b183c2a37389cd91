/** Misspelt options of the sandbox, which would be ignored silently. */

import { existsSync } from 'node:fs';
import { ConfigurationError } from 'payments-client';
import { createSandbox, openSandbox } from 'payments-client-sandbox';
import { describe, expect, it } from 'vitest';
import { anything } from '../../test/support/anything.ts';

const sandbox = createSandbox();
const rule = { name: 'r', per: 'card', counts: 'attempts', limit: 3, windowMs: 1000, action: 'block' };
const card = { ccnumber: '4111111111111111', ccexp: '1230' };

describe('a misspelt option is rejected by name:', () => {
  it.each<[message: string, call: () => unknown]>([
    [
      "createSandbox.secretkey: expected a known name, got an unknown option \\(did you mean 'secretKey'\\?\\)\\. Correct",
      () => createSandbox(anything({ secretkey: 'sk_v1_test_1' })),
    ],
    ['createSandbox: expected an object, got the number 7\\. Correct', () => createSandbox(anything(7))],
    [
      "createSandbox.webhooks\\[0\\].secert: expected a known name, .+'secret'",
      () => createSandbox({ webhooks: [anything({ url: 'http://localhost/w', secert: 'x' })] }),
    ],
    [
      "createSandbox.clok: expected .+'clock'",
      () => openSandbox('never-made.data', anything({ clok: 'running' })),
    ],
    [
      'openSandbox.file: expected the path of a file, got nothing\\. Correct the arguments of openSandbox\\.',
      () => openSandbox(anything(undefined)),
    ],
    ["sandbox.listen.prt: expected a known name, .+'port'", () => sandbox.listen(anything({ prt: 1 }))],
    [
      "sandbox.webhooks.deliverTo.event: expected a known name, .+'events'",
      () => sandbox.webhooks.deliverTo('http://localhost/w', anything({ event: ['refund.failed'] })),
    ],
    [
      "faults.inject.time: expected a known name, .+'times'",
      () => sandbox.faults.inject(anything({ kind: 'drop_delivery', time: 2 })),
    ],
    [
      "faults.inject.opertion: expected a known name, .+'operation'",
      () => sandbox.faults.inject(anything({ kind: 'drop_reply', opertion: 'refunds.create' })),
    ],
    [
      "faults.inject.operation: expected an operation such as 'refunds.create', got .+ Did you mean 'paymentIntents.create'\\?",
      () => sandbox.faults.inject(anything({ kind: 'drop_reply', operation: 'paymentIntent.create' })),
    ],
    [
      'faults.inject.times: expected one of kind, operation, route, skip, probability, ms, got an unknown option',
      () => sandbox.faults.inject(anything({ kind: 'hold', times: 2 })),
    ],
    [
      "sandbox.tokenize.cvc: expected a known name, .+'cvv'",
      () => sandbox.tokenize(anything({ ...card, cvc: '123' })),
    ],
    [
      "sandbox.pay.paymentMethod: expected a known name, .+'payment_method'",
      () => sandbox.pay('pi_1', anything({ paymentMethod: 'pm_card_declined' })),
    ],
    ["seed.customer: expected a known name, .+'customers'", () => sandbox.seed(anything({ customer: 1 }))],
    [
      "sandbox.settle.curency: expected a known name, .+'currency'",
      () => sandbox.settle(anything({ curency: 'usd' })),
    ],
    [
      "sandbox.trigger.bear: expected a known name, .+'bare'",
      () => sandbox.trigger('chargeback.received', {}, anything({ bear: true })),
    ],
    [
      "sandbox.visit.acount: expected a known name, .+'account'",
      () => sandbox.visit('alnk_1', anything({ acount: 'acct_1' })),
    ],
  ])('%s', async (message, call) => {
    const refused = Promise.resolve().then(call);
    await expect(refused).rejects.toThrow(ConfigurationError);
    await expect(refused).rejects.toThrow(new RegExp(`^${message}`));
  });

  it('in a velocity rule too', () => {
    const options = anything({ velocityRules: [{ ...rule, limt: 3 }] });
    expect(() => createSandbox(options)).toThrow('VelocityGuard.rules[0].limt: expected a known name');
  });

  it('and creates no file', async () => {
    await expect(openSandbox('never-made.data', anything({ clok: 'running' }))).rejects.toThrow(
      ConfigurationError,
    );
    expect(['never-made.data', 'never-made.data.lock'].filter(existsSync)).toEqual([]);
  });

  it('unless the name may be a secret', () => {
    expect(() => createSandbox(anything({ '4111111111111111': true }))).toThrow(
      /^createSandbox\.\[redacted\]: expected one of/,
    );
  });
});

const faultKinds = [
  'latency',
  'refuse_connection',
  'drop_request',
  'drop_reply',
  'webhook_before_reply',
  'stall_body',
  'truncate_body',
  'malformed_body',
  'respond',
  'bad_gateway',
  'unavailable',
  'rate_limit',
  'idempotency_error',
  'hold',
  'drop_during',
  'duplicate_delivery',
  'reorder_delivery',
  'delay_delivery',
  'forge_delivery',
  'tamper_delivery',
  'drop_delivery',
];
/** The required fields of some kinds. */
const required: Readonly<Record<string, object>> = {
  latency: { ms: 1 },
  respond: { status: 500 },
  idempotency_error: { code: 'IDEMPOTENCY_BODY_MISMATCH' },
  delay_delivery: { by: 1 },
};

describe('a fault with an option of another kind is rejected:', () => {
  it.each(faultKinds)('%s', (kind) => {
    const fault = { kind, ...required[kind] };
    expect(() => sandbox.faults.inject(anything({ ...fault, unheard: 1 }))).toThrow(
      /^faults\.inject\.unheard: expected one of kind, .+ got an unknown option/,
    );
    expect(() => sandbox.faults.inject(anything(fault))).not.toThrow();
    sandbox.faults.clear();
  });
});

describe('a misspelt field of an object is rejected by name:', () => {
  const { id } = sandbox.add('refund');
  it.each<[name: string, call: () => unknown]>([
    ['add', () => sandbox.add('refund', anything({ amout: 5 }))],
    ['update', () => sandbox.update('refund', id, anything({ amout: 5 }))],
    ['trigger', () => sandbox.trigger('refund.failed', anything({ amout: 5 }))],
  ])('%s', (_name, call) => {
    expect(call).toThrow(/amout.+amount/);
  });
});

describe('options that are not an object are rejected:', () => {
  it.each<[name: string, call: (wrong: never) => unknown]>([
    ['createSandbox', createSandbox],
    ['createSandbox', (wrong) => openSandbox('never-made.data', wrong)],
    ['sandbox.listen', (wrong) => sandbox.listen(wrong)],
    ['sandbox.webhooks.deliverTo', (wrong) => sandbox.webhooks.deliverTo('http://localhost/w', wrong)],
    ['sandbox.tokenize', (wrong) => sandbox.tokenize(wrong)],
    ['sandbox.pay', (wrong) => sandbox.pay('pi_1', wrong)],
    ['seed', (wrong) => sandbox.seed(wrong)],
    ['sandbox.settle', (wrong) => sandbox.settle(wrong)],
    ['sandbox.trigger', (wrong) => sandbox.trigger('chargeback.received', {}, wrong)],
    ['sandbox.visit', (wrong) => sandbox.visit('alnk_1', wrong)],
  ])('%s', async (name, call) => {
    for (const wrong of ['usd', 7, null, []]) {
      await expect(Promise.resolve().then(() => call(anything(wrong)))).rejects.toThrow(
        new RegExp(`^${name}: expected an object, got `),
      );
    }
  });
});

/** Methods with and without options. A new method must be added to one of the lists. */
const withOptions = ['add', 'listen', 'pay', 'seed', 'settle', 'tokenize', 'trigger', 'update', 'visit'];
const withoutOptions = [
  'authenticate',
  'close',
  'follow',
  'fork',
  'get',
  'perform',
  'reconcile',
  'reset',
  'restore',
  'settled',
  'snapshot',
  'story',
  'watch',
];

it('tests every method that takes options', () => {
  const methods = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(sandbox)))
    .filter(([name, { value }]) => name !== 'constructor' && typeof value === 'function')
    .map(([name]) => name);
  expect(methods.toSorted()).toEqual([...withOptions, ...withoutOptions].toSorted());
});
