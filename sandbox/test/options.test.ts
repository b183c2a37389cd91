/** Wrong options of the sandbox and of its methods, which would be ignored silently. */

import { existsSync } from 'node:fs';
import { ConfigurationError } from 'payments-client';
import { createSandbox, openSandbox } from 'payments-client-sandbox';
import { describe, expect, it } from 'vitest';
import { anything } from '../../test/support/anything.ts';

const sandbox = createSandbox();
const file = 'never-made.data';
const rule = { name: 'r', per: 'card', counts: 'attempts', limit: 3, windowMs: 1000, action: 'block' };
const card = { ccnumber: '4111111111111111', ccexp: '1230' };
const url = 'http://localhost/w';

/** Every method with options: its name in messages, and a call with some. */
const methods: readonly (readonly [name: string, call: (options: object) => unknown])[] = [
  ['createSandbox', (options) => createSandbox(options)],
  ['createSandbox', (options) => openSandbox(file, options)],
  ['sandbox.listen', (options) => sandbox.listen(options)],
  ['sandbox.webhooks.deliverTo', (options) => sandbox.webhooks.deliverTo(url, options)],
  ['sandbox.tokenize', (options) => sandbox.tokenize(anything(options))],
  ['sandbox.pay', (options) => sandbox.pay('pi_1', options)],
  ['seed', (options) => sandbox.seed(options)],
  ['sandbox.settle', (options) => sandbox.settle(options)],
  ['sandbox.trigger', (options) => sandbox.trigger('chargeback.received', {}, options)],
  ['sandbox.visit', (options) => sandbox.visit('alnk_1', options)],
];

/** A misspelt option for each method: the method, the option, and the one that was meant. */
const misspelt: readonly (readonly [method: number, options: object, path: string, meant: string])[] = [
  [0, { secretkey: 'sk_v1_test_1' }, 'createSandbox.secretkey', 'secretKey'],
  [0, { webhooks: [{ url, secert: 'x' }] }, 'createSandbox.webhooks[0].secert', 'secret'],
  [0, { velocityRules: [{ ...rule, limt: 3 }] }, 'VelocityGuard.rules[0].limt', 'limit'],
  [1, { clok: 'running' }, 'createSandbox.clok', 'clock'],
  [2, { prt: 1 }, 'sandbox.listen.prt', 'port'],
  [3, { event: ['refund.failed'] }, 'sandbox.webhooks.deliverTo.event', 'events'],
  [4, { ...card, cvc: '123' }, 'sandbox.tokenize.cvc', 'cvv'],
  [5, { paymentMethod: 'pm_card_declined' }, 'sandbox.pay.paymentMethod', 'payment_method'],
  [6, { customer: 1 }, 'seed.customer', 'customers'],
  [7, { curency: 'usd' }, 'sandbox.settle.curency', 'currency'],
  [8, { bear: true }, 'sandbox.trigger.bear', 'bare'],
  [9, { acount: 'acct_1' }, 'sandbox.visit.acount', 'account'],
];

async function refusalOf(call: () => unknown): Promise<string> {
  const refused = Promise.resolve().then(call);
  await expect(refused).rejects.toThrow(ConfigurationError);
  return refused.then(String, ({ message }: Error) => message);
}

it.each(misspelt)(
  'method %i refuses %j by name, with the known one',
  async (method, options, path, meant) => {
    const message = await refusalOf(() => methods[method]?.[1](options));
    expect(message.startsWith(`${path}: expected `)).toBe(true);
    expect(message).toContain(`'${meant}'`);
  },
);

it.each(methods)('%s refuses options that are not an object, and creates no file', async (name, call) => {
  for (const wrong of ['usd', 7, null, []])
    expect(await refusalOf(() => call(anything(wrong)))).toContain(`${name}: expected an object, got `);
  expect([file, `${file}.keys`].filter(existsSync)).toEqual([]);
});

it('refuses an unknown name without repeating what may be a secret, and a file without a path', async () => {
  expect(await refusalOf(() => createSandbox(anything({ '4111111111111111': true })))).toMatch(
    /^createSandbox\.\[redacted\]: expected one of/,
  );
  expect(await refusalOf(() => openSandbox(anything(undefined)))).toMatch(
    /^openSandbox\.file: .+got nothing/,
  );
});

describe('createSandbox refuses at once a wrong value of', () => {
  it.each([
    ['clock', 'backwards', "'still' or 'running'"],
    ['secretKey', 'sk_v1_live_1', 'not a live key'],
    ['secretKey', '', 'a non-empty string'],
    ['onlyShownFields', 'yes', 'true or false'],
    ['allowRemoteWebhooks', 'yes', 'true or false'],
    ['expiredSessions', 'open', "'closed' or 'payable'"],
    ['signedAt', 'never', "'clock' or 'present'"],
    ['unknownTokens', 'maybe', "'approve' or 'refuse'"],
    ['refunds', 'never', "'automatic' or 'manual'"],
    ['settlement', 'hourly', "'daily' or 'manual'"],
    ['dunning[0]', [0], 'an integer from 1'],
    ['webhookTimeout', 0, '1 to 2147483647, in ms'],
    ['webhookTimeout', 2 ** 31, '1 to 2147483647, in ms'],
  ])('%s: %j', async (path, value, expected) => {
    const [name = ''] = path.split('[');
    const message = await refusalOf(() => createSandbox({ [name]: value }));
    expect(message).toContain(`createSandbox.${path}: expected `);
    expect(message).toContain(expected);
  });
});

/** Each kind of fault with the fields that it needs. */
const faults: Readonly<Record<string, object>> = {
  latency: { ms: 1 },
  refuse_connection: {},
  drop_request: {},
  drop_reply: {},
  webhook_before_reply: {},
  stall_body: {},
  truncate_body: {},
  malformed_body: {},
  respond: { status: 500 },
  bad_gateway: {},
  unavailable: {},
  rate_limit: {},
  idempotency_error: { code: 'IDEMPOTENCY_BODY_MISMATCH' },
  hold: {},
  drop_during: {},
  duplicate_delivery: {},
  reorder_delivery: {},
  delay_delivery: { by: 1 },
  forge_delivery: {},
  tamper_delivery: {},
  drop_delivery: {},
};

it.each(Object.entries(faults))(
  'a fault of the kind %s has no option of another kind',
  async (kind, required) => {
    const inject = (more: object) => sandbox.faults.inject(anything({ kind, ...required, ...more }));
    const message = await refusalOf(() => inject({ unheard: 1 }));
    expect(message).toMatch(/^faults\.inject\.unheard: expected one of kind, /);
    expect(() => inject({})).not.toThrow();
    sandbox.faults.clear();
  },
);

it.each<[name: string, call: (id: string) => unknown]>([
  ['add', () => sandbox.add('refund', anything({ amout: 5 }))],
  ['update', (id) => sandbox.update('refund', id, anything({ amout: 5 }))],
  ['trigger', () => sandbox.trigger('refund.failed', anything({ amout: 5 }))],
])('%s refuses a misspelt field of an object by name', async (_, call) => {
  const { id } = sandbox.add('refund');
  expect(await refusalOf(() => call(id))).toMatch(/amout.+did you mean 'amount'/);
});

/** Methods without options. A new method must be in one of the lists. */
const withoutOptions = [
  'add',
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
  'update',
  'watch',
];

it('tests every method that takes options', () => {
  const all = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(sandbox)))
    .filter(([name, { value }]) => name !== 'constructor' && typeof value === 'function')
    .map(([name]) => name);
  const withOptions = methods.map(([name]) => name.split('.').at(-1) ?? '');
  expect(all.filter((name) => !withoutOptions.includes(name) && !withOptions.includes(name))).toEqual([]);
});
