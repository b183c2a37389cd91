import type { PendingDeliveryFault, PlannedDelivery, SandboxDelivery } from '../domain/records/delivery.ts';
import type { SandboxEvent } from '../domain/records/records.ts';
import type { Change, State } from '../domain/state.ts';
import { timings } from '../domain/timings.ts';
import { eventCatalog } from '../sdk.ts';
import { hits, keepFault, withFault } from './delivery-faults.ts';
import { eventTypeOf } from './derive-event.ts';
import { type Endpoint, readEndpoint, subscribes } from './endpoint.ts';

/** How many events and deliveries are kept. */
export const capacity = 10_000;

function newDelivery({ ids, clock }: State, event: SandboxEvent, endpoint: Endpoint): PlannedDelivery {
  const delay = event.type.startsWith('invoice.') ? timings.invoiceEventDelay : 0;
  return {
    id: ids.next('dlv'),
    eventId: event.id,
    type: event.type,
    endpointId: endpoint.id,
    url: endpoint.url,
    status: 'pending',
    dueAt: clock.now() + delay,
    attempts: [],
    replayed: false,
    tampering: null,
    held: false,
  };
}

/** Returns the fault that hits a delivery, and uses it up. */
function takeFault(state: State, delivery: SandboxDelivery): PendingDeliveryFault | undefined {
  const found = state.objects.delivery_fault.all().find((one) => hits(one, delivery));
  if (found === undefined) return undefined;
  const holding = found.kind === 'reorder_delivery' ? [...found.holding, delivery.id] : found.holding;
  keepFault(state, { ...found, left: found.left - 1, holding });
  return found;
}

/**
 * Releases deliveries that wait to be overtaken by this one: they become due at the same time, and are scheduled
 * after it.
 */
function release(state: State, fault: PendingDeliveryFault, { endpointId, dueAt }: SandboxDelivery): void {
  const { delivery: deliveries } = state.objects;
  const released = fault.holding.filter((id) => deliveries.get(id)?.endpointId === endpointId);
  if (released.length === 0) return;
  for (const id of released) {
    const one = deliveries.get(id);
    if (one?.held === true) deliveries.replace({ ...one, held: false, dueAt });
  }
  keepFault(state, { ...fault, holding: fault.holding.filter((id) => !released.includes(id)) });
}

function planDelivery(state: State, event: SandboxEvent, endpoint: Endpoint): void {
  const { delivery: deliveries, delivery_fault: faults } = state.objects;
  const plain = newDelivery(state, event, endpoint);
  const fault = faults.size === 0 ? undefined : takeFault(state, plain);
  const delivery = deliveries.add(fault === undefined ? plain : withFault(plain, fault));
  if (fault?.kind === 'duplicate_delivery') deliveries.add({ ...plain, id: state.ids.next('dlv') });
  if (delivery.held || delivery.status !== 'pending' || faults.size === 0) return;
  for (const one of faults.all()) release(state, one, delivery);
}

/** Drops the oldest events and deliveries beyond the capacity; a delivery only when it is final. */
function forgetOldest({ objects }: State): void {
  const event = objects.event.oldest();
  if (objects.event.size > capacity && event !== undefined) objects.event.remove(event.id);
  while (objects.delivery.size > capacity) {
    const delivery = objects.delivery.oldest();
    if (delivery === undefined || delivery.status === 'pending') return;
    objects.delivery.remove(delivery.id);
  }
}

/** Records an event, and schedules its delivery to each subscribed endpoint. */
export function publish(state: State, event: SandboxEvent): SandboxEvent {
  state.objects.event.add(event);
  for (const object of state.objects.webhook_endpoint.all()) {
    const endpoint = readEndpoint(object);
    if (endpoint !== undefined && subscribes(endpoint, event.type)) planDelivery(state, event, endpoint);
  }
  forgetOldest(state);
  return event;
}

/** Schedules another delivery of an event to an endpoint, without faults and due now. */
export function planReplay(state: State, event: SandboxEvent, endpoint: Endpoint): SandboxDelivery {
  const delivery = { ...newDelivery(state, event, endpoint), dueAt: state.clock.now(), replayed: true };
  return state.objects.delivery.add(delivery);
}

/** The API version in the sandbox's events. The interface shows only its format. */
const apiVersion = '2026-01-01';

/** Creates an event with the current time. */
export function makeEvent(
  { ids, clock }: State,
  type: string,
  object: object,
  operations: readonly string[],
): SandboxEvent {
  const created = new Date(clock.now()).toISOString();
  const id = ids.next('evt');
  return { id, type, api_version: apiVersion, created, livemode: false, data: { object }, operations };
}

/** Publishes the events of some changes, in order. */
export function emitEvents(state: State, changes: readonly Change[]): void {
  for (const change of changes) {
    const type = eventTypeOf(change);
    if (type === undefined || change.after === undefined) continue;
    publish(state, makeEvent(state, type, change.after, eventCatalog[type].operations));
  }
}

function isFailing({ status, attempts }: SandboxDelivery): boolean {
  return status === 'failed' || (status === 'pending' && attempts.length > 0);
}

/**
 * Returns the deliveries whose last attempt failed, newest first: those that were given up, and those that wait for a
 * retry. It excludes events that a later delivery to the same endpoint has delivered or will retry.
 */
export function failingDeliveries({ objects }: State): readonly SandboxDelivery[] {
  const seen = new Set<string>();
  return objects.delivery
    .all()
    .toReversed()
    .filter((delivery) => {
      const target = `${delivery.eventId} ${delivery.endpointId}`;
      if (seen.has(target)) return false;
      seen.add(target);
      return isFailing(delivery);
    });
}

/**
 * Returns the last delivery of each event that an endpoint has not taken, in the order of the events. It excludes an event whose first
 * attempt is still to come.
 */
export function missedDeliveries({ objects }: State, endpointId: string): readonly SandboxDelivery[] {
  const own = objects.delivery.all().filter((delivery) => delivery.endpointId === endpointId);
  const byEvent = Map.groupBy(own, ({ eventId }) => eventId);
  return [...byEvent].flatMap(([eventId, deliveries]) => {
    const last = deliveries.at(-1);
    if (last === undefined || objects.event.get(eventId) === undefined) return [];
    const isComing = last.status === 'pending' && last.attempts.length === 0;
    return isComing || deliveries.some(({ status }) => status === 'delivered') ? [] : [last];
  });
}

/** Delivers now what an enabled endpoint has not taken. Returns the number of events. */
export function deliverMissed(state: State, endpoint: Endpoint): number {
  const { objects, clock } = state;
  const missed = missedDeliveries(state, endpoint.id);
  state.unit(() => {
    for (const delivery of missed) {
      const event = objects.event.get(delivery.eventId);
      // A retry comes earlier. What was given up needs another delivery.
      if (delivery.status === 'pending') objects.delivery.replace({ ...delivery, dueAt: clock.now() });
      else if (event !== undefined) planReplay(state, event, endpoint);
    }
  });
  return missed.length;
}
