/** Responses of the control API with stories, for tests of pages without a recorded story. */

import type { Entry, RecordedChange, RecordedDelivery, RecordedRequest } from '../../../src/stories/entry.ts';
import { logOf } from '../../../src/stories/log-entry.ts';
import type { StorySummary } from '../../../src/stories/story.ts';
import type { Story } from '../../../src/stories/whole-story.ts';

const start = Date.UTC(2026, 0, 1);
const json = { 'content-type': 'application/json' };
const endpoint = 'http://127.0.0.1:3000/webhooks';

const intent = {
  id: 'pi_1',
  object: 'payment_intent',
  amount: 5500,
  currency: 'USD',
  status: 'requires_payment_method',
  client_secret: 'pi_1_secret_2',
  latest_charge_id: null,
  metadata: {},
};
const paid = { ...intent, status: 'succeeded', latest_charge_id: 'ch_1' };
const charge = {
  id: 'ch_1',
  object: 'charge',
  intent_id: 'pi_1',
  amount: 5500,
  currency: 'USD',
  status: 'succeeded',
};

function requestOf(fields: Partial<RecordedRequest>): RecordedRequest {
  return {
    kind: 'request',
    number: 1,
    at: start,
    source: 'app',
    requestId: 'req_000000000001',
    operation: 'paymentIntents.create',
    method: 'POST',
    path: '/v1/payment_intents',
    query: '',
    idempotencyKey: 'pc1:paymentIntents.create:order-100',
    operationId: 'order-100',
    request: { headers: { ...json, authorization: '[redacted]' }, body: '{"amount":5500,"currency":"usd"}' },
    isWhole: true,
    fault: null,
    reply: {
      status: 200,
      headers: { ...json, 'x-request-id': 'req_000000000001' },
      body: JSON.stringify(intent),
    },
    replayed: false,
    arrived: true,
    duration: 3,
    ...fields,
  };
}

function changeOf(fields: Partial<RecordedChange>): RecordedChange {
  return {
    kind: 'change',
    number: 2,
    at: start,
    cause: 1,
    unit: 2,
    object: { kind: 'payment_intent', id: 'pi_1' },
    before: null,
    after: intent,
    events: [{ id: 'evt_1', type: 'payment_intent.created' }],
    ...fields,
  };
}

function deliveryOf(fields: Partial<RecordedDelivery>): RecordedDelivery {
  return {
    kind: 'delivery',
    number: 3,
    at: start,
    deliveryId: 'dlv_1',
    event: { id: 'evt_1', type: 'payment_intent.created' },
    object: 'pi_1',
    endpointId: 'we_1',
    url: endpoint,
    attempt: 1,
    status: 'delivered',
    request: {
      headers: {
        ...json,
        'webhook-id': 'evt_1',
        'webhook-timestamp': '1767225600',
        'webhook-signature': 'v1,c2lnbmF0dXJl',
      },
      body: JSON.stringify({ id: 'evt_1', type: 'payment_intent.created', data: { object: { id: 'pi_1' } } }),
    },
    responseStatus: 200,
    error: null,
    responseText: 'ok',
    ...fields,
  };
}

const confirm: Partial<RecordedRequest> = {
  operation: 'paymentIntents.confirm',
  path: '/v1/payment_intents/pi_1/confirm',
  idempotencyKey: 'pc1:paymentIntents.confirm:order-100',
  request: { headers: json, body: '{"payment_method":"pm_card"}' },
  reply: { status: 200, headers: json, body: JSON.stringify(paid) },
};
const succeeded = { id: 'evt_2', type: 'payment_intent.succeeded' };

/** The entries of order-100: its confirmation was lost and retried. */
const entries: readonly Entry[] = [
  requestOf({}),
  changeOf({}),
  deliveryOf({}),
  requestOf({ ...confirm, number: 4, at: start + 4_000, fault: { kind: 'drop_reply' }, arrived: false }),
  changeOf({
    number: 5,
    at: start + 4_000,
    cause: 4,
    object: { kind: 'charge', id: 'ch_1' },
    after: charge,
    events: [],
  }),
  changeOf({ number: 6, at: start + 4_000, cause: 4, before: intent, after: paid, events: [succeeded] }),
  deliveryOf({
    number: 7,
    at: start + 4_000,
    deliveryId: 'dlv_2',
    event: succeeded,
    status: 'pending',
    responseStatus: 500,
    responseText: 'no database',
  }),
  requestOf({ ...confirm, number: 8, at: start + 6_000, replayed: true }),
  { kind: 'action', number: 9, at: start + 6_000, name: 'clock.advance', details: { advance: '1 minute' } },
  deliveryOf({ number: 10, at: start + 66_000, deliveryId: 'dlv_2', event: succeeded, attempt: 2 }),
];

function summaryOf(fields: Partial<StorySummary>): StorySummary {
  return {
    id: 'order-100',
    title: 'order-100',
    startedAt: start,
    endedAt: start + 66_000,
    money: { amount: 5500, currency: 'USD' },
    charges: 1,
    net: 5500,
    attempts: 2,
    notes: ['reply lost', 'replayed'],
    webhooks: { delivered: 2, failing: 0, total: 2 },
    verdict: 'charged_once',
    reason:
      'The reply to the first confirmation was lost. The app sent it again with the same key and got the same charge.',
    needs: null,
    customer: null,
    email: 'ada@example.com',
    ...fields,
  };
}

/** One summary for each verdict. */
export const summaries: readonly StorySummary[] = [
  summaryOf({}),
  summaryOf({
    id: 'order-101',
    title: 'order-101',
    attempts: 1,
    notes: ['reply lost'],
    verdict: 'unknown_to_app',
    reason: '$55.00 was charged, but the app never received the reply to paymentIntents.confirm.',
    webhooks: { delivered: 0, failing: 2, total: 2 },
  }),
  summaryOf({
    id: 'order-102',
    title: 'order-102',
    charges: 0,
    net: 0,
    attempts: 1,
    notes: ['refused'],
    verdict: 'nothing_happened',
    reason: 'Nothing was charged.',
    webhooks: { delivered: 0, failing: 0, total: 0 },
  }),
  summaryOf({
    id: 'order-103',
    title: 'order-103',
    charges: 2,
    net: 11000,
    notes: [],
    verdict: 'charged_twice',
    reason: 'Two charges of $55.00 were made to the same customer within 4 s.',
  }),
  summaryOf({
    id: 'pi_9',
    title: 'pi_9',
    charges: 0,
    net: 0,
    attempts: 1,
    notes: ['authorized'],
    verdict: 'open',
    reason: 'The money is held until a capture.',
    webhooks: { delivered: 1, failing: 0, total: 2 },
    email: null,
  }),
];

/** The whole story of order-100. */
export const story: Story = {
  ...summaryOf({}),
  operationIds: ['order-100'],
  objects: [
    { kind: 'payment_intent', id: 'pi_1', state: 'succeeded', money: { amount: 5500, currency: 'USD' } },
    { kind: 'charge', id: 'ch_1', state: 'succeeded', money: { amount: 5500, currency: 'USD' } },
  ],
  entries,
  actions: [
    {
      name: 'requests.send',
      args: { operation: 'refunds.create', body: { charge_id: 'ch_1' } },
      label: 'Refund $55.00',
      expected: 'The service creates a refund of $55.00, which is pending until the clock moves.',
      isAdvised: false,
    },
    {
      name: 'webhooks.replay',
      args: { id: 'evt_2' },
      label: 'Deliver payment_intent.succeeded again',
      expected: 'The endpoint gets the event once more and ignores it.',
      isAdvised: false,
    },
  ],
  log: logOf(entries, entries, () => ({ id: 'order-100', money: { amount: 5500, currency: 'USD' } })),
  twins: [],
  isCut: false,
};
