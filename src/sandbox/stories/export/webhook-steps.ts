import { groupBy } from '../../../base/group-by.ts';
import {
  deliveryFaultKinds,
  type PendingDeliveryFault,
  type SandboxDelivery,
} from '../../domain/records/delivery.ts';
import { hits } from '../../webhooks/delivery-faults.ts';
import { readEndpoint } from '../../webhooks/endpoint.ts';
import type { RecordedAction, RecordedChange, RecordedDelivery } from '../entry.ts';
import { replayedChanges } from './replayed-changes.ts';
import { isChange, type Replayable, type StorySource } from './story-source.ts';

/** An endpoint that received deliveries of a story. */
interface EndpointStep {
  /** The number of the entry that made it; 0 if it is older than the recording. */
  readonly position: number;
  readonly id: string;
  readonly endpoint: readonly string[];
  readonly responses: Readonly<Record<string, readonly number[]>>;
}

/** Returns the deliveries in the order of their planning, without those that a replay made. */
function plannedDeliveries({ state }: StorySource): readonly SandboxDelivery[] {
  return state.objects.delivery.all().filter(({ replayed }) => !replayed);
}

function eventsOf(changes: readonly RecordedChange[]): ReadonlySet<string> {
  return new Set(changes.flatMap(({ events }) => events.map(({ id }) => id)));
}

const isSuccess = (status: number) => status >= 200 && status < 300;

/** Returns an endpoint's responses by type and in order, without trailing successes. 0 stands for no response. */
function responsesOf(deliveries: readonly RecordedDelivery[]): EndpointStep['responses'] {
  const byType = groupBy(deliveries, ({ event }) => event.type);
  const failing = [...byType].flatMap(([type, ofType]) => {
    const statuses = ofType.map(({ responseStatus }) => responseStatus ?? 0);
    const kept = statuses.slice(0, statuses.findLastIndex((status) => !isSuccess(status)) + 1);
    return kept.length === 0 ? [] : [[type, kept] as const];
  });
  return Object.fromEntries(failing);
}

/** Returns the endpoints of a story's deliveries, with their recorded responses. */
export function endpointSteps(source: StorySource): readonly EndpointStep[] {
  const { own, recorded, state } = source;
  const events = eventsOf(own.filter(isChange));
  const received = state.objects.delivery.all().filter(({ eventId }) => events.has(eventId));
  const deliveries = own.flatMap((entry) => (entry.kind === 'delivery' ? [entry] : []));
  const ids = received.map(({ endpointId }) => endpointId);
  return [...new Set(ids)].map((id) => {
    const isCreation = (change: RecordedChange) => change.object.id === id && change.before === null;
    return {
      position: recorded.filter(isChange).find(isCreation)?.number ?? 0,
      id,
      endpoint: readEndpoint(state.objects.webhook_endpoint.get(id))?.events ?? ['*'],
      responses: responsesOf(deliveries.filter(({ endpointId }) => endpointId === id)),
    };
  });
}

/** An armed fault of deliveries. */
interface ArmedFault {
  readonly action: RecordedAction;
  readonly pending: PendingDeliveryFault;
  /** How many deliveries it has left. */
  left: number;
  /** How many deliveries it hit whose events are replayed. */
  replayed: number;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns the fault that an action armed; `undefined` for another action. */
function armedFault(action: RecordedAction): ArmedFault | undefined {
  const { kind, types, endpoint, times } = action.details;
  const known = deliveryFaultKinds.find((one) => one === kind);
  if (action.name !== 'faults.inject' || known === undefined) return undefined;
  const left = typeof times === 'number' ? times : 1;
  const pending = {
    id: '',
    kind: known,
    left,
    types: Array.isArray(types) ? types.filter(isText) : null,
    endpoint: typeof endpoint === 'string' ? endpoint : null,
    delay: 0,
    holding: [],
  };
  return { action, pending, left, replayed: 0 };
}

/** Returns the deliveries that faults can hit, in the order of their planning: a duplicate follows its original. */
function hittable(deliveries: readonly SandboxDelivery[]): readonly SandboxDelivery[] {
  const seen = new Set<string>();
  return deliveries.filter(({ eventId, endpointId }) => {
    const isFirst = !seen.has(`${eventId} ${endpointId}`);
    seen.add(`${eventId} ${endpointId}`);
    return isFirst;
  });
}

/** Returns the faults in the order of their actions, with the number of their hits. It repeats what `publish` did. */
function armedFaults(source: StorySource, entries: readonly Replayable[]): readonly ArmedFault[] {
  const { recorded } = source;
  const replayed = eventsOf(replayedChanges(source, entries));
  const changes = recorded.filter(isChange);
  const numbers = new Map(changes.flatMap(({ number, events }) => events.map(({ id }) => [id, number])));
  const actions = recorded.filter((entry) => entry.kind === 'action');
  const faults: ArmedFault[] = [];
  let done = 0;
  for (const delivery of hittable(plannedDeliveries(source))) {
    const number = numbers.get(delivery.eventId) ?? 0;
    for (; (actions[done]?.number ?? number) < number; done += 1) arm(faults, actions[done]);
    const hit = faults.find(({ pending, left }) => hits({ ...pending, left }, delivery));
    if (hit === undefined) continue;
    hit.left -= 1;
    if (replayed.has(delivery.eventId)) hit.replayed += 1;
  }
  return faults;
}

/** Does to the armed faults what an action did. */
function arm(faults: ArmedFault[], action: RecordedAction | undefined): void {
  if (action?.name === 'faults.clear') for (const fault of faults) fault.left = 0;
  const armed = action && armedFault(action);
  if (armed !== undefined) faults.push(armed);
}

/** A fault of deliveries that hit a story. */
interface DeliveryFaultStep {
  readonly position: number;
  readonly at: number;
  /** The fault, with the number of replayed deliveries that it hit. */
  readonly fault: Readonly<Record<string, unknown>>;
}

/** Returns the faults that hit replayed deliveries. Those of other stories used up the rest. */
export function deliveryFaultSteps(
  source: StorySource,
  entries: readonly Replayable[],
): readonly DeliveryFaultStep[] {
  return armedFaults(source, entries)
    .filter(({ replayed }) => replayed > 0)
    .map(({ action: { number: position, at, details }, replayed: times }) => ({
      position,
      at,
      fault: { ...details, times },
    }));
}
