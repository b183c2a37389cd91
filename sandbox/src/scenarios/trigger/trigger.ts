import type { WebhookEventMap, WebhookEventType } from 'payments-client/webhooks';
import { isRecord } from '../../base/json.ts';
import { refuseValue } from '../../base/refuse.ts';
import { copyFields } from '../../domain/object-editor.ts';
import { Problem } from '../../domain/problem.ts';
import type { SandboxEvent } from '../../domain/records/records.ts';
import type { Change, State } from '../../domain/state.ts';
import { readEvent } from '../../sdk.ts';
import { eventTypes } from './event-types.ts';
import { ScenarioRun } from './scenario-run.ts';
import { type Scenario, scenarios } from './scenarios.ts';

/** The fields of an object, all optional; for a union of kinds, the fields of one of them. */
type FieldsOf<T> = T extends unknown ? Partial<Omit<T, 'id'>> : never;

/** Fields of the event's object. With the `id` of an existing object, that one makes the transition. */
export type TriggerFields<Type extends WebhookEventType> = FieldsOf<
  WebhookEventMap[Type]['data']['object']
> & {
  /** The id of an object. */
  readonly id?: string | undefined;
};

/** Options of `trigger`. */
export type TriggerOptions = {
  /**
   * Sends `chargeback.received` without the envelope, since the interface does not show whether it has one. Default:
   * false.
   */
  readonly bare?: boolean | undefined;
};

function refuse(type: string, reason: string): Error {
  return new Error(`sandbox.trigger: '${type}' could not be triggered: ${reason.replace(/\.$/, '')}.`);
}

/**
 * Checks that the event has every field of the caller: a transition that overrides one would emit another event than
 * requested.
 */
function checkFields(type: string, object: object, fields: object): void {
  for (const [name, requested] of Object.entries(fields)) {
    const got: unknown = Reflect.get(object, name);
    if (requested === undefined || JSON.stringify(got) === JSON.stringify(requested)) continue;
    throw refuse(type, `its ${name} is ${JSON.stringify(got)} after the transition, and cannot be chosen`);
  }
}

/** Returns the latest event of an object among the changes of a transition. */
function newestOf(changes: readonly Change[], type: string, id: string): SandboxEvent | undefined {
  const events = changes.flatMap(({ kind, after }) => (kind === 'event' && after !== undefined ? after : []));
  return events.findLast((event) => event.type === type && Reflect.get(event.data.object, 'id') === id);
}

function eventOf({ emitted }: ScenarioRun, type: string): SandboxEvent {
  if (emitted === undefined) throw refuse(type, 'the transition emitted no such event');
  return emitted;
}

/** Parses the event as a merchant's receiver would. A bare one has its envelope here. */
function received<Type extends WebhookEventType>({ bare: _, ...event }: SandboxEvent): WebhookEventMap[Type] {
  const parsed: unknown = JSON.parse(JSON.stringify(event));
  // The event has the requested type, and its schema is checked, which the compiler cannot connect.
  const { event: read, error } = readEvent(parsed, { validation: 'throw', livemode: undefined });
  if (read === undefined) throw error;
  return read as unknown as WebhookEventMap[Type];
}

/** Makes the transition. Returns the object after it, or the notification without one. */
function act(
  { objects }: State,
  scenario: Scenario,
  run: ScenarioRun,
): { readonly object: object; readonly id: string } {
  const { id } = scenario(run);
  const kinds = Object.values(objects);
  const object =
    run.emitted?.data.object ?? kinds.map((kind) => kind.get(id)).find((one) => one !== undefined);
  return { object: object ?? {}, id };
}

/**
 * Triggers an event: makes the state change that emits it.
 *
 * @throws ConfigurationError when the type is unknown or the fields are invalid.
 * @throws Error when the object's state does not allow it. Nothing has changed then.
 */
export function trigger<Type extends WebhookEventType>(
  state: State,
  type: Type,
  fields?: TriggerFields<Type>,
  { bare = false }: TriggerOptions = {},
): WebhookEventMap[Type] {
  if (!Object.hasOwn(scenarios, type)) {
    return refuseValue(
      'sandbox.trigger.type',
      `one of ${eventTypes.join(', ')}`,
      type,
      'Pass an event type.',
    );
  }
  if (fields !== undefined && !isRecord(fields)) {
    return refuseValue('sandbox.trigger.fields', 'an object', fields, 'Pass fields of the object.');
  }
  const run = new ScenarioRun(state, type, { ...copyFields('sandbox.trigger.fields', fields) }, bare);
  try {
    let made = '';
    const work = (): void => {
      const { object, id } = act(state, scenarios[type], run);
      checkFields(type, object, fields ?? {});
      made = id;
    };
    const review = (changes: readonly Change[]): void => {
      run.publish();
      run.emitted ??= newestOf(changes, type, made);
      eventOf(run, type);
    };
    state.unit(work, { review });
    return received<Type>(eventOf(run, type));
  } catch (error) {
    throw error instanceof Problem ? refuse(type, error.message) : error;
  }
}
