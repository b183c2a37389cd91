/** Each public function refuses a wrong option or argument in the same class and the same words. */

import * as main from 'payments-client';
import { ConfigurationError } from 'payments-client';
import * as fraud from 'payments-client/fraud';
import * as journals from 'payments-client/journal';
import * as opentelemetry from 'payments-client/opentelemetry';
import * as stores from 'payments-client/stores';
import * as webhooks from 'payments-client/webhooks';
import * as sandbox from 'payments-client-sandbox';
import * as msw from 'payments-client-sandbox/msw';
import * as testing from 'payments-client-sandbox/testing';
import { describe, expect, it } from 'vitest';
import { anything } from './support/anything.ts';

const wrong = anything({ nope: 1 });

/** A wrong call of each public function and class. */
const calls: Readonly<Record<string, Readonly<Record<string, () => unknown>>>> = {
  'payments-client': {
    PaymentsClient: () => new main.PaymentsClient(wrong),
    Transact: () => new main.Transact(wrong),
    deriveIdempotencyKey: () => main.deriveIdempotencyKey('refunds.create', wrong),
    formatAmount: () => main.formatAmount(100, wrong),
    toDate: () => main.toDate(1, wrong),
    toDecimalAmount: () => main.toDecimalAmount(wrong, 'usd'),
    toMinorUnits: () => main.toMinorUnits(wrong, 'usd'),
    unknownField: () => main.unknownField(anything(undefined), 'x'),
  },
  'payments-client/fraud': {
    assessFraud: () => fraud.assessFraud(anything(undefined)),
    fraudFigures: () => fraud.fraudFigures(wrong),
    parseChargeback: () => fraud.parseChargeback(wrong),
    typicalVelocityRules: () => fraud.typicalVelocityRules(wrong),
    VelocityGuard: () => new fraud.VelocityGuard(wrong),
  },
  'payments-client/opentelemetry': {
    openTelemetry: () => opentelemetry.openTelemetry(wrong),
  },
  'payments-client-sandbox': {
    createSandbox: () => sandbox.createSandbox(wrong),
    openSandbox: () => sandbox.openSandbox('never-made.data', wrong),
  },
  'payments-client-sandbox/msw': {
    sandboxHandlers: () => msw.sandboxHandlers(sandbox.createSandbox(), 'nowhere'),
  },
  'payments-client/journal': {
    createJournal: () => journals.createJournal(wrong),
  },
  'payments-client/stores': {
    memoryStore: () => stores.memoryStore(wrong),
    postgresStore: () => stores.postgresStore(wrong),
    redisStore: () => stores.redisStore(wrong),
    sqliteStore: () => stores.sqliteStore('never-made.sqlite', wrong),
  },
  'payments-client-sandbox/testing': {
    createTestClient: () => testing.createTestClient(wrong),
    make: () => testing.make('refund', wrong),
    makeError: () => testing.makeError(wrong),
    makeEvent: () => testing.makeEvent('refund.failed', wrong),
  },
  'payments-client/webhooks': {
    advanceSnapshot: () => webhooks.advanceSnapshot(stores.memoryStore(), wrong),
    bodyHmac: () => webhooks.bodyHmac(wrong),
    standardWebhooks: () => webhooks.standardWebhooks(wrong),
    timestampedHmac: () => webhooks.timestampedHmac(wrong),
    Webhooks: () => new webhooks.Webhooks(wrong),
    WebhookVerifier: () => new webhooks.WebhookVerifier(wrong),
  },
};

/** Functions that accept any value: they read what the service sent, or what a call returned. */
const readers = ['isDecline', 'isRecorded', 'isTerminal', 'readChecks', 'unlisted'];

const entries = {
  'payments-client': main,
  'payments-client/fraud': fraud,
  'payments-client/opentelemetry': opentelemetry,
  'payments-client-sandbox': sandbox,
  'payments-client-sandbox/msw': msw,
  'payments-client/journal': journals,
  'payments-client/stores': stores,
  'payments-client-sandbox/testing': testing,
  'payments-client/webhooks': webhooks,
};

function isCallable([, value]: readonly [name: string, value: unknown]): boolean {
  return typeof value === 'function' && !(value.prototype instanceof Error);
}

async function refusalOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error('expected a refusal, got none');
}

/** `path: expected …, got …` for each issue, and then what to do. */
const grammar = /^\S+: expected .+, got .+\. [A-Z].+\.$/s;

describe.each(Object.entries(entries))('%s', (entry, module) => {
  const rows = calls[entry] ?? {};

  it('has each of its functions and classes in the table', () => {
    const names = Object.entries(module)
      .filter(isCallable)
      .map(([name]) => name)
      .filter((name) => !readers.includes(name));
    expect(names.toSorted()).toEqual(Object.keys(rows).toSorted());
  });

  it.each(Object.entries(rows))('%s refuses a wrong value as a ConfigurationError', async (_name, call) => {
    const error = await refusalOf(call);
    if (!(error instanceof ConfigurationError)) throw error;
    expect(error).toMatchObject({
      code: 'INVALID_CONFIGURATION',
      outcome: 'not_an_operation',
      retryable: false,
    });
    expect(error.message).toMatch(grammar);
    expect(error.issues).not.toEqual([]);
    for (const { path } of error.issues) expect(error.message).toContain(`${path}: expected `);
  });
});

describe('a method outside a call', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const store = stores.memoryStore();
  const guard = new fraud.VelocityGuard({ secret, store });
  const hooks = new webhooks.Webhooks({ secret });
  const service = sandbox.createSandbox();
  const journaled = new main.PaymentsClient({
    baseUrl: 'https://payments.example',
    secretKey: 'sk_v1_test_1',
    journal: journals.createJournal({ store }),
  });
  const { journal } = journaled;

  it.each<[name: string, call: () => unknown]>([
    ['unknownField', () => main.unknownField(anything(null), 'x')],
    ['unknownField', () => main.unknownField(anything('ch_1'), 'length')],
    ['VelocityGuard.check', () => guard.check(anything(7))],
    ['VelocityGuard.record', () => guard.record(wrong, 'approved')],
    ['matchers.toHaveOutcome', () => testing.matchers.toHaveOutcome(new Error('x'), wrong)],
    ['Webhooks.receiver', () => hooks.receiver(wrong)],
    ['Webhooks.sign', () => hooks.sign('{}', wrong)],
    ['store.claim', () => store.claim('', 1000)],
    ['journal.open', async () => journal.open(wrong)[Symbol.asyncIterator]().next()],
    ['journal.resume', async () => journal.resume(wrong)],
    ['sandbox.add', () => service.add('refund', wrong)],
    ['sandbox.authenticate', () => service.authenticate('tok_1', wrong)],
    ['sandbox.clock.advance', () => service.clock.advance('3 moons')],
    ['sandbox.faults.inject', () => service.faults.inject(wrong)],
    ['sandbox.faults.inject', () => service.faults.inject(anything(undefined))],
    ['sandbox.get', () => service.get(wrong, 'id')],
    ['sandbox.listen', () => service.listen(wrong)],
    ['sandbox.authenticate', () => service.authenticate('tok_none')],
    ['sandbox.pay', () => service.pay('pi_1', wrong)],
    ['sandbox.pay', () => service.pay('zz')],
    ['sandbox.pay', () => service.pay(wrong)],
    ['sandbox.reconcile', () => service.reconcile('zz', 'reconciled')],
    ['sandbox.update', () => service.update('refund', 'zz', {})],
    ['sandbox.update', () => service.update('refund', wrong, {})],
    ['sandbox.webhooks.dropOldSecrets', () => service.webhooks.dropOldSecrets('zz')],
    ['sandbox.webhooks.replay', () => service.webhooks.replay('zz')],
    ['sandbox.webhooks.rotateSecret', () => service.webhooks.rotateSecret('zz')],
    ['sandbox.restore', () => service.restore(anything(undefined))],
    ['sandbox.seed', () => service.seed(wrong)],
    ['sandbox.settle', () => service.settle(wrong)],
    ['sandbox.tokenize', () => service.tokenize(wrong)],
    ['sandbox.trigger', () => service.trigger(anything('refund.gone'))],
    ['sandbox.webhooks.deliverTo', () => service.webhooks.deliverTo('nowhere')],
  ])('%s refuses a wrong value as a ConfigurationError', async (_name, call) => {
    const error = await refusalOf(call);
    if (!(error instanceof ConfigurationError)) throw error;
    expect(error.message).toMatch(grammar);
  });
});
