import type { WebhookEventMap, WebhookEventType } from '../../../webhooks/events/event.ts';
import { eventIn, readEvent } from '../../../webhooks/events/parse.ts';
import { Problem } from '../../domain/problem.ts';
import type { SandboxEvent } from '../../domain/records/event.ts';
import type { Change, State } from '../../domain/state.ts';
import { eventTypes } from './event-types.ts';
import type { Scenario } from './scenario.ts';
import { ScenarioRun } from './scenario-run.ts';
import { scenarioOf } from './scenarios.ts';

/** Fields of an object, none of them required; of several kinds of objects, those of one of them. */
type FieldsOf<T> = T extends unknown ? Partial<Omit<T, 'id'>> : never;

/** Fields of the object that an event is about; with the `id` of one that exists, that one makes the transition. */
export type TriggerFields<Type extends WebhookEventType> = FieldsOf<
  WebhookEventMap[Type]['data']['object']
> & {
  /** The id of an object. */
  readonly id?: string | undefined;
};

/** An event that was triggered. */
export type TriggeredEvent<Type extends WebhookEventType> = WebhookEventMap[Type];

/** How an event is triggered. */
export interface TriggerOptions {
  /** Sends `chargeback.received` without the envelope, since the interface does not show whether it has one. Default: false. */
  readonly bare?: boolean | undefined;
}

function refuse(type: string, reason: string): Error {
  return new Error(`sandbox.trigger: '${type}' could not be made to happen: ${reason.replace(/\.$/, '')}.`);
}

/** Every field that was asked for must be there: a transition that sets it otherwise would make the event a lie. */
function checkFields(type: string, object: object, fields: object): void {
  for (const [name, asked] of Object.entries(fields)) {
    const got: unknown = Reflect.get(object, name);
    if (asked === undefined || JSON.stringify(got) === JSON.stringify(asked)) continue;
    throw refuse(type, `its ${name} is ${JSON.stringify(got)} after the transition, and cannot be chosen`);
  }
}

/** The event of an object that happened last among the changes of a transition. */
function newestOf(changes: readonly Change[], type: string, id: string): SandboxEvent | undefined {
  const events = changes.flatMap(({ kind, after }) => (kind === 'event' && after !== undefined ? after : []));
  return events.findLast((event) => event.type === type && Reflect.get(event.data.object, 'id') === id);
}

/** The event that a transition was made for. */
function eventOf({ emitted }: ScenarioRun, type: string): SandboxEvent {
  if (emitted === undefined) throw refuse(type, 'the transition had no such event');
  return emitted;
}

/** What the receiver of a merchant would make of an event. A bare one is in its envelope here. */
function received<Type extends WebhookEventType>({ bare: _, ...event }: SandboxEvent): TriggeredEvent<Type> {
  const parsed: unknown = JSON.parse(JSON.stringify(event));
  // The event has the type that was asked for, and its schema is checked, which the compiler does not put together.
  const reading = readEvent(parsed, { validation: 'throw', livemode: undefined });
  return eventIn(reading) as unknown as TriggeredEvent<Type>;
}

/** Makes the transition. Gives the object as it then is, or the notification where there is none. */
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
 * Makes an event happen by the transition that it tells of.
 *
 * @throws Error when it cannot; nothing has changed then.
 */
export function trigger<Type extends WebhookEventType>(
  state: State,
  type: Type,
  fields?: TriggerFields<Type>,
  { bare = false }: TriggerOptions = {},
): TriggeredEvent<Type> {
  const scenario = scenarioOf(type);
  if (scenario === undefined) {
    throw new Error(`sandbox.trigger: expected one of ${eventTypes.join(', ')}; got '${type}'.`);
  }
  const run = new ScenarioRun(state, { ...structuredClone(fields) }, bare);
  try {
    let made = '';
    const work = (): void => {
      const { object, id } = act(state, scenario, run);
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
