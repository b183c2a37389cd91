/** Reaches inside: the table of transitions is not public, and the sandbox must follow each row of it. */

import type { PaymentsClient } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { type WebhookEvent, Webhooks } from 'payments-client/webhooks';
import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import { beforeEach, describe, expect, test } from 'vitest';
import { type StatefulObject, type Transition, transitions } from '../../../src/resources/transitions.ts';
import table from '../../../test/interface/tables/transitions.json' with { type: 'json' };
import { anything } from '../../../test/support/anything.ts';
import {
  type CatalogEventType,
  catalogRow,
  catalogTypes,
  isCatalogType,
} from '../../../test/support/event-catalog.ts';
import { clientOf } from '../../../test/support/sandbox.ts';
import { start } from '../../../test/support/sandbox-requests.ts';

interface World {
  readonly sandbox: Sandbox;
  readonly payments: PaymentsClient;
  /** Returns a new operation id for each call. */
  readonly once: () => { readonly operationId: string };
}

/** An object before an operation, and the operation. A creation has no object before. */
interface Scenario {
  readonly id?: string;
  readonly move: () => unknown;
}

type Prepare = (world: World) => Scenario | Promise<Scenario>;

const session = {
  mode: 'payment',
  line_items: [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }],
  success_url: 'https://shop.example/thanks',
  cancel_url: 'https://shop.example/cart',
} as const;
const amount = { amount: 1200, currency: 'usd' } as const;

async function paidIntent({ sandbox, payments, once }: World) {
  const { id } = await payments.paymentIntents.create(amount, once());
  return sandbox.pay(id);
}

/** Creates a pending refund of a payment with the given payment method. */
async function newRefund(world: World, payment_method: 'pm_card' | 'pm_card_refund_fails' = 'pm_card') {
  const { id } = await world.payments.paymentIntents.create(amount, world.once());
  await world.payments.paymentIntents.confirm(id, { payment_method }, world.once());
  return world.payments.refunds.create({ payment_intent_id: id }, world.once());
}

function reconcile(outcome: 'reconciled' | 'incomplete' | 'needs_attention'): Prepare {
  return async (world) => {
    await paidIntent(world);
    const [batch] = world.sandbox.settle();
    const id = batch?.id ?? '';
    return { id, move: () => world.sandbox.reconcile(id, outcome) };
  };
}

async function newSubscription({ sandbox, payments, once }: World) {
  const customer = sandbox.add('customer').id;
  const price = sandbox.add('price').id;
  return payments.subscriptions.create({ customer, items: [{ price }] }, once());
}

async function newCreditNote({ sandbox, payments, once }: World) {
  return payments.creditNotes.create({ invoice: sandbox.add('invoice').id }, once());
}

const newCustomer = ({ payments, once }: World) => payments.customers.create({ first_name: 'Ada' }, once());

/** The scenario for each row of the interface's table of states. */
const scenarios: Readonly<Record<CatalogEventType, Prepare>> = {
  'checkout.session.created': ({ payments, once }) => ({
    move: () => payments.checkoutSessions.create(session, once()),
  }),
  'checkout.session.completed': async ({ sandbox, payments, once }) => {
    const { id } = await payments.checkoutSessions.create(session, once());
    return { id, move: () => sandbox.pay(id) };
  },
  'checkout.session.expired': async ({ sandbox, payments, once }) => {
    const { id } = await payments.checkoutSessions.create(session, once());
    return { id, move: () => sandbox.clock.advance('24 hours') };
  },
  'payment_intent.created': ({ payments, once }) => ({
    move: () => payments.paymentIntents.create(amount, once()),
  }),
  'payment_intent.succeeded': async ({ payments, once }) => {
    const { id } = await payments.paymentIntents.create(amount, once());
    return { id, move: () => payments.paymentIntents.confirm(id, { payment_method: 'pm_card' }, once()) };
  },
  'payment_intent.payment_failed': async ({ payments, once }) => {
    const { id } = await payments.paymentIntents.create(amount, once());
    const declined = { payment_method: 'pm_card_declined' } as const;
    return {
      id,
      move: () => expect(payments.paymentIntents.confirm(id, declined, once())).rejects.toThrow(),
    };
  },
  'payment_intent.canceled': async ({ payments, once }) => {
    const { id } = await payments.paymentIntents.create(amount, once());
    return { id, move: () => payments.paymentIntents.cancel(id, once()) };
  },
  'payment_intent.requires_action': async ({ sandbox, payments, once }) => {
    const { id } = await payments.paymentIntents.create(amount, once());
    return { id, move: () => sandbox.trigger('payment_intent.requires_action', { id }) };
  },
  'refund.created': async (world) => {
    const { id } = await paidIntent(world);
    return { move: () => world.payments.refunds.create({ payment_intent_id: id }, world.once()) };
  },
  'refund.succeeded': async (world) => {
    const { id } = await newRefund(world);
    return { id, move: () => world.sandbox.clock.advance('1 min') };
  },
  'refund.failed': async (world) => {
    const { id } = await newRefund(world, 'pm_card_refund_fails');
    return { id, move: () => world.sandbox.clock.advance('1 min') };
  },
  'refund.settled': async (world) => {
    const { id } = await newRefund(world);
    await world.sandbox.clock.advance('1 min');
    return { id, move: () => world.sandbox.settle() };
  },
  'charge.settled': async (world) => {
    const id = (await paidIntent(world)).latest_charge_id ?? '';
    return { id, move: () => world.sandbox.settle() };
  },
  'invoice.paid': ({ sandbox, payments, once }) => {
    const { id } = sandbox.add('invoice');
    const card = { payment_method: 'pm_card' } as const;
    return { id, move: () => payments.invoices.updatePaymentMethod(id, card, once()) };
  },
  'invoice.payment_failed': ({ sandbox, payments, once }) => {
    const { id } = sandbox.add('invoice');
    const declined = { payment_method: 'pm_card_declined' } as const;
    return {
      id,
      move: () => expect(payments.invoices.updatePaymentMethod(id, declined, once())).rejects.toThrow(),
    };
  },
  'invoice.marked_uncollectible': ({ sandbox }) => {
    const { id } = sandbox.add('invoice', {
      collection_method: 'charge_automatically',
      collection_payment_method_id: 'pm_card_declined',
    });
    return { id, move: () => sandbox.clock.advance('16 days') }; // after 1, 3, 5 and 7 more days
  },
  'subscription.created': (world) => ({ move: () => newSubscription(world) }),
  'subscription.updated': async (world) => {
    const { id } = await newSubscription(world);
    const atPeriodEnd = { cancel_at_period_end: true };
    return { id, move: () => world.payments.subscriptions.update(id, atPeriodEnd, world.once()) };
  },
  'subscription.canceled': async (world) => {
    const { id } = await newSubscription(world);
    return { id, move: () => world.payments.subscriptions.cancel(id, world.once()) };
  },
  'credit_note.created': (world) => ({ move: () => newCreditNote(world) }),
  'credit_note.voided': async (world) => {
    const { id } = await newCreditNote(world);
    return { id, move: () => world.payments.creditNotes.void(id, world.once()) };
  },
  'customer.created': (world) => ({ move: () => newCustomer(world) }),
  'customer.updated': async (world) => {
    const { id } = await newCustomer(world);
    return { id, move: () => world.payments.customers.update(id, { first_name: 'Grace' }, world.once()) };
  },
  'customer.deleted': async (world) => {
    const { id } = await newCustomer(world);
    return { id, move: () => world.payments.customers.delete(id) };
  },
  'customer.restored': async (world) => {
    const { id } = await newCustomer(world);
    await world.payments.customers.delete(id);
    return { id, move: () => world.payments.customers.restore(id, world.once()) };
  },
  'terminal_batch.closed': (world) => {
    const { id } = world.sandbox.add('terminal_batch', { status: 'open' });
    return { id, move: () => world.sandbox.update('terminal_batch', id, { status: 'closed' }) };
  },
  'terminal_batch.reconciled': reconcile('reconciled'),
  'terminal_batch.incomplete': reconcile('incomplete'),
  'terminal_batch.needs_attention': reconcile('needs_attention'),
};

/** Fields that the sandbox also sets, although the table does not list them. */
const also: { readonly [Type in CatalogEventType]?: object } = {
  'checkout.session.completed': { payment_intent_id: expect.stringMatching(/^pi_/) },
  'refund.failed': { failure_message: 'already_refunded' },
  'invoice.paid': { payment_intent: expect.stringMatching(/^pi_/), amount_remaining: 0 },
  'subscription.updated': { status: 'incomplete', cancel_at_period_end: true },
  'subscription.canceled': { canceled_at: expect.any(Number), ended_at: expect.any(Number) },
  'invoice.marked_uncollectible': { attempt_count: 5 },
};

/** Checks the fields that a transition sets or increments by the interface's table. */
function checkRow(type: CatalogEventType, before: object | undefined, after: object | undefined): void {
  const row = table.find(({ event }) => event === type);
  expect(after).toMatchObject(row?.to ?? { event: type });
  for (const name of row?.set ?? []) expect(Reflect.get(after ?? {}, name) ?? null, name).not.toBeNull();
  for (const name of row?.incremented ?? []) {
    expect(Reflect.get(after ?? {}, name), name).toBe(Number(Reflect.get(before ?? {}, name)) + 1);
  }
}

function isKind(name: string): name is StatefulObject {
  return Object.hasOwn(transitions, name);
}

interface Row extends Transition<string> {
  readonly kind: StatefulObject;
  readonly event: CatalogEventType;
}

const rows = Object.keys(transitions)
  .filter(isKind)
  .flatMap((kind) => {
    const own: readonly Transition<string>[] = transitions[kind].transitions;
    return own.map((row) => ({ ...row, kind }));
  })
  .filter((row): row is Row => isCatalogType(row.event));

/** Returns the state of an object, as the table names it. */
function stateOf(kind: StatefulObject, object: object | undefined): string {
  if (object === undefined) return 'none';
  if (kind === 'terminal_batch' && Reflect.get(object, 'status') !== 'closed') return 'open';
  return String(Reflect.get(object, transitions[kind].field));
}

let world: World;
let arrived: WebhookEvent[];

/** Records all events, with a handler for each type. */
function handlers() {
  const keep = (event: WebhookEvent) => void arrived.push(event);
  return Object.fromEntries(catalogTypes.map((type) => [type, keep]));
}

beforeEach(() => {
  const sandbox = createSandbox();
  const payments = clientOf(sandbox, { fetch: sandbox.fetch, maxRetries: 0 });
  let count = 0;
  world = {
    sandbox,
    payments,
    once: () => {
      count += 1;
      return { operationId: `operation-${count}` };
    },
  };
  arrived = [];
  const webhooks = new Webhooks({ secret: sandbox.webhookSecret });
  const receiver = webhooks.receiver({ on: handlers(), store: memoryStore() });
  sandbox.webhooks.deliverTo(receiver.fetch, { secret: sandbox.webhookSecret });
});

test('every type of the catalog has a row', () => {
  expect(rows.map(({ event }) => event).toSorted()).toEqual(catalogTypes.toSorted());
});

describe.each(rows)('$event', (row) => {
  test(`${row.from} becomes ${row.to}, and ${row.event} is delivered`, async () => {
    const { sandbox } = world;
    const { id, move } = await scenarios[row.event](world);
    await sandbox.settled();
    const earlierObject = id === undefined ? undefined : sandbox.get(row.kind, id);
    const before = stateOf(row.kind, earlierObject);
    if (row.from !== 'any') expect(row.from === 'none' ? ['none'] : row.from).toContain(before);
    const earlier = sandbox.events.length;

    await move();
    const made = sandbox.events.slice(earlier).filter(({ type }) => type === row.event);
    expect(made).toHaveLength(1);
    const [event] = made;
    const object = sandbox.get(row.kind, String(Reflect.get(event?.data.object ?? {}, 'id')));
    if (row.to !== 'any') expect(stateOf(row.kind, object)).toBe(row.to);
    if (id !== undefined) expect(object?.id).toBe(id);
    expect(object).toMatchObject(also[row.event] ?? {});
    checkRow(row.event, earlierObject, object);
    expect(event).toMatchObject({
      type: row.event,
      livemode: false,
      data: { object },
      operations: catalogRow(row.event).operations,
    });

    await sandbox.clock.advance('5 s'); // invoice events are delayed
    expect(arrived.filter(({ type }) => type === row.event)).toEqual([event]);
    expect(arrived.map((one) => one.id).toSorted()).toEqual(sandbox.events.map((one) => one.id).toSorted());
    // No ordinary operation emits it.
    const { length } = arrived.filter(({ type }) => type === 'payment_intent.requires_action');
    expect(length).toBe(row.event === 'payment_intent.requires_action' ? 1 : 0);
  });
});

/** The operations that require a state, and the states that reject them. */
const moves = [
  ['checkout_session', 'checkout/sessions', 'expire', ['complete', 'expired']],
  ['checkout_session', 'checkout/sessions', 'refund', ['open', 'expired']],
  ['payment_intent', 'payment_intents', 'confirm', ['succeeded', 'canceled', 'requires_capture']],
  [
    'payment_intent',
    'payment_intents',
    'retry_with_new_payment_method',
    ['succeeded', 'canceled', 'requires_capture'],
  ],
  [
    'payment_intent',
    'payment_intents',
    'capture',
    ['requires_payment_method', 'requires_action', 'succeeded', 'canceled'],
  ],
  ['payment_intent', 'payment_intents', 'cancel', ['succeeded', 'canceled']],
  ['refund', 'refunds', 'retry', ['pending', 'succeeded']],
  ['invoice', 'invoices', 'update_payment_method', ['paid', 'uncollectible', 'draft']],
  ['credit_note', 'credit_notes', 'void', ['void']],
] as const;

describe.each(moves)('a %s of %s cannot %s', (kind, path, move, wrong) => {
  test.each(wrong)('when it is %s, and nothing has changed then', async (status) => {
    const { sandbox, request } = start();
    const before = sandbox.add(kind, anything({ status }));
    const told = sandbox.events.length;
    const refused = await request(`/v1/${path}/${before.id}/${move}`, {
      body: { payment_method: 'pm_card' },
    });
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { error: { code: 'INVALID_STATE_TRANSITION', message: expect.stringContaining(`'${status}'`) } },
    ]);
    expect(sandbox.get(kind, before.id)).toEqual(before);
    expect(sandbox.events).toHaveLength(told);
  });

  test('when it does not exist', async () => {
    const { sandbox, request } = start();
    const refused = await request(`/v1/${path}/nowhere/${move}`, { body: { payment_method: 'pm_card' } });
    expect(await refused.json()).toMatchObject({ error: { code: 'OBJECT_NOT_FOUND', param: 'id' } });
    expect([refused.status, sandbox.events]).toEqual([404, []]);
  });
});
