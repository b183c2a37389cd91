/** A package that exports what the other entries return: each type in its declarations must have a name there. */

import { loadCardFields, loadGateway } from 'payments-client/browser';
import {
  assessFraud,
  fraudFigures,
  parseChargeback,
  readChecks,
  typicalVelocityRules,
  type VelocityGuard,
} from 'payments-client/fraud';
import {
  memoryStore,
  type PostgresClient,
  postgresStore,
  redisStore,
  sqliteStore,
} from 'payments-client/stores';
import {
  advanceSnapshot,
  bodyHmac,
  type Receiver,
  type ReceiverOptions,
  standardWebhooks,
  timestampedHmac,
  type WebhookEventMap,
  type Webhooks,
} from 'payments-client/webhooks';
import { createSandbox, openSandbox, type Sandbox, testCards } from 'payments-client-sandbox';
import { make, makeError, makeEvent, matchers } from 'payments-client-sandbox/testing';

/** A connection of a pool, which has more than the store needs. */
interface PooledClient extends PostgresClient {
  release(): void;
}

/** Functions under a name of the package's own. */
export const functions = {
  loadCardFields,
  loadGateway,
  assessFraud,
  fraudFigures,
  parseChargeback,
  readChecks,
  typicalVelocityRules,
  createSandbox,
  openSandbox,
  memoryStore,
  postgresStore,
  redisStore,
  sqliteStore,
  advanceSnapshot,
  bodyHmac,
  standardWebhooks,
  timestampedHmac,
  make,
  makeError,
  makeEvent,
  ...matchers,
};

export const fraud = {
  assessment: (result: Parameters<typeof assessFraud>[0]) => assessFraud(result),
  reasons: (result: Parameters<typeof assessFraud>[0]) => assessFraud(result).reasons,
  figures: () => fraudFigures([]),
  chargeback: (body: unknown) => parseChargeback(body).reasonCode,
  checks: () => readChecks({ avsresponse: 'X', cvvresponse: 'M', risk_score: 10, risk_decision: 'A' }),
  rules: () => typicalVelocityRules({ dailyAmountPerCard: '500.00' }),
  verdict: (guard: VelocityGuard) => guard.check({ ip: '192.0.2.7' }),
  ticket: async (guard: VelocityGuard) => (await guard.check({ ip: '192.0.2.7' })).ticket,
};

export const webhooks = {
  event: (to: Webhooks) => to.verify('', {}),
  eventSync: (to: Webhooks) => to.verifySync('', {}),
  issues: async (to: Webhooks) => (await to.verify('', {})).issues,
  signed: (to: Webhooks) => to.sign('{}'),
  receiver: (to: Webhooks) => to.receiver({ store: memoryStore(), on: {} }),
  receiverInTransaction: (to: Webhooks, client: PostgresClient) =>
    to.receiver({ store: postgresStore(client), transaction: (run) => run(client), on: {} }),
  receiverOfPool: (
    to: Webhooks,
    client: PooledClient,
    transaction: (run: (client: PooledClient) => Promise<void>) => Promise<void>,
  ) =>
    to.receiver({
      store: postgresStore(client),
      transaction,
      on: { 'refund.failed': (_event, { client: pooled }) => pooled.release() },
    }),
  refund: (event: WebhookEventMap['refund.failed']) => event,
  failure: (event: WebhookEventMap['refund.failed']) => event.data.object,
  object: (event: WebhookEventMap['account.created']) => event.data.object,
  handlers: ({ on, onEvent, onUnreadable, onDelivery, enqueue }: ReceiverOptions) => ({
    on,
    onEvent,
    onUnreadable,
    onDelivery,
    enqueue,
  }),
  mounts: ({ handle, fetch, node, dispatch, failed, backlog, discard }: Receiver) => ({
    handle,
    fetch,
    node,
    dispatch,
    failed,
    backlog,
    discard,
  }),
  reply: (receiver: Receiver) => receiver.handle({ body: '', headers: {} }),
  snapshot: (event: WebhookEventMap['account.created']) => advanceSnapshot(memoryStore(), event),
};

export const stores = {
  claim: () => memoryStore().claim('key', 1000),
  open: () => memoryStore().open({ space: 'operation', limit: 10 }),
  counted: () => memoryStore().check('id', []),
  newest: () => memoryStore().advance('key', 1, '{}'),
  recorded: (client: PostgresClient) => postgresStore(client).record('key', 1000, { client }),
};

export const browser = {
  token: async () => (await loadCardFields({ src: '/fields.js' })).collectToken(),
  gateway: async () =>
    (await loadGateway({ baseUrl: '/', apiKey: 'pk_1', environment: 'live' })).threeDSecure,
};

export const cards = testCards;

export const sandbox = {
  authenticated: ({ authenticate }: Sandbox) => authenticate('tok_1'),
  parts: ({ clock, faults, webhooks, url }: Sandbox) => ({ clock, faults, webhooks, url }),
  records: ({ requests, events, transactions }: Sandbox) => ({ requests, events, transactions }),
  hold: ({ faults }: Sandbox) => faults.inject({ kind: 'hold', operation: 'refunds.create' }),
  hits: ({ faults }: Sandbox) => faults.history(),
  endpoint: ({ webhooks }: Sandbox) => webhooks.deliverTo('http://localhost:3000/webhooks'),
  deliveries: ({ webhooks }: Sandbox) => webhooks.deliveries(),
  story: (of: Sandbox) => of.story('order-1'),
  objects: (of: Sandbox) =>
    [of.get('charge', 'ch_1'), of.add('product'), of.settle(), of.pay('cs_1')] as const,
  event: (of: Sandbox) => of.trigger('refund.failed', { amount: 5 }, { bare: false }),
  state: (of: Sandbox) => [of.snapshot(), of.seed(), of.fork()] as const,
  authentication: (of: Sandbox) => of.authenticate('token', 'failed'),
};
