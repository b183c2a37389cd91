import type { Subscription, SubscriptionItem } from 'payments-client';
import { addInvoice, linesOf } from '../../domain/billing/subscription.ts';
import { defaults } from '../../domain/object-defaults.ts';
import { findObject, type State } from '../../domain/state.ts';
import { requireTransition } from '../../domain/transitions.ts';
import { requestSchema } from '../../sdk.ts';
import { type ParametersOf, readClientParameters, requireId, requireKnown } from '../request/parameters.ts';
import { type Call, type Methods, named, type Reading } from './handler.ts';

type Changes = ParametersOf<'subscriptions.update'>;
type ItemParameters = NonNullable<Changes['items']>[number];

const collectionMethods = ['charge_automatically', 'send_invoice'] as const;

function toItem(state: State, item: ItemParameters, index: number): SubscriptionItem {
  const { quantity, metadata } = item;
  const price = requireId(`items[${index}].price`, item.price, 'price');
  findObject(state, 'price', price, 'items');
  return { id: state.ids.next('si'), price, quantity: quantity ?? 1, metadata: metadata ?? {} };
}

/** Returns the subscription with changed fields. Given items replace all earlier ones. */
function withChanges(state: State, before: Subscription, given: Changes): Subscription {
  return {
    ...before,
    items: given.items?.map((item, index) => toItem(state, item, index)) ?? before.items,
    collection_method:
      given.collection_method === undefined
        ? before.collection_method
        : requireKnown('collection_method', given.collection_method, collectionMethods),
    cancel_at_period_end: given.cancel_at_period_end ?? before.cancel_at_period_end,
    metadata: given.metadata ?? before.metadata,
  };
}

function create(state: State, { body }: Call): Subscription {
  const given = readClientParameters(requestSchema('subscriptions.create'), body);
  const customer = findObject(state, 'customer', given.customer, 'customer').id;
  const subscription = { ...defaults.subscription(state), customer };
  const draft = withChanges(state, subscription, given);
  // Validates before any change.
  linesOf(state, draft, 'items');
  const created = state.objects.subscription.add(draft);
  addInvoice(state, created, false);
  return created;
}

function update(state: State, call: Call): Subscription {
  const before = named(state.objects.subscription, call);
  const given = readClientParameters(requestSchema('subscriptions.update'), call.body);
  requireTransition(before, 'subscription.update');
  const after = { ...withChanges(state, before, given), updated_at: state.clock.seconds() };
  // Validates now, since the clock could not bill it later.
  linesOf(state, after, 'items');
  return state.objects.subscription.replace(after);
}

/** Cancels at once. By the interface's table this is allowed from any state, so a repeated call is harmless. */
function cancel(state: State, call: Call): Subscription {
  const subscription = named(state.objects.subscription, call);
  requireTransition(subscription, 'subscription.cancel');
  if (subscription.status === 'canceled') return subscription;
  const now = state.clock.seconds();
  const end = { status: 'canceled', canceled_at: now, ended_at: now, updated_at: now } as const;
  return state.objects.subscription.replace({ ...subscription, ...end });
}

export function subscriptionHandlers(state: State): Omit<Methods<'subscriptions'>, keyof Reading> {
  return {
    create: (call) => create(state, call),
    update: (call) => update(state, call),
    cancel: (call) => cancel(state, call),
  };
}
