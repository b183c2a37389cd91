import type { RouteName } from 'payments-client';
import type { WebhookEventType } from 'payments-client/webhooks';
import { handlerFinder } from '../../api/handlers/all-handlers.ts';
import type { StatefulObject, Transition } from '../../base/interface-types.ts';
import { ObjectEditor } from '../../domain/object-editor.ts';
import { Problem } from '../../domain/problem.ts';
import type { SandboxEvent, SandboxKind, SandboxObjects } from '../../domain/records/records.ts';
import type { State } from '../../domain/state.ts';
import { transitions } from '../../sdk.ts';
import { makeEvent, publish } from '../../webhooks/publish.ts';

/** Unchecked fields of a caller. */
export type AnyFields = Readonly<Record<string, unknown>>;

/** Returns the state of an object, as the table of transitions names it. */
function stateOf(kind: StatefulObject, object: object): string {
  if (kind === 'terminal_batch' && Reflect.get(object, 'status') !== 'closed') return 'open';
  return String(Reflect.get(object, transitions[kind].field));
}

/** The context of a scenario: it creates objects, makes transitions, and applies the caller's fields. */
export class ScenarioRun {
  readonly state: State;
  readonly #type: WebhookEventType;
  /** The caller's fields for the object. */
  readonly fields: AnyFields;
  /** Whether a notification is sent without its envelope. */
  readonly bare: boolean;
  emitted: SandboxEvent | undefined;
  readonly #announced: SandboxEvent[] = [];
  readonly #editor: ObjectEditor;

  constructor(state: State, type: WebhookEventType, fields: AnyFields, bare: boolean) {
    this.state = state;
    this.#type = type;
    this.fields = fields;
    this.bare = bare;
    this.#editor = new ObjectEditor(state);
  }

  /** The current time in seconds. */
  get now(): number {
    return this.state.clock.seconds();
  }

  /** Returns a field of the caller if it is a text. */
  text(name: string): string | undefined {
    const value = this.fields[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** Returns a field of the caller if it is a number. */
  number(name: string): number | undefined {
    const value = this.fields[name];
    return typeof value === 'number' ? value : undefined;
  }

  /** Adds a prerequisite object. */
  add<Kind extends SandboxKind>(kind: Kind, fields: AnyFields = {}): SandboxObjects[Kind] {
    // The editor validates the fields by the schema of the kind.
    return this.#editor.add(kind, fields as Partial<SandboxObjects[Kind]>);
  }

  /** Creates the event's object with the caller's fields over the suggested ones, and the `fixed` ones over both. */
  create<Kind extends SandboxKind>(
    kind: Kind,
    suggested: AnyFields = {},
    fixed: AnyFields = {},
  ): SandboxObjects[Kind] {
    return this.add(kind, { ...suggested, ...this.fields, ...fixed });
  }

  /** Returns the existing object that the caller's `id` names, if any. */
  existing<Kind extends SandboxKind>(kind: Kind): SandboxObjects[Kind] | undefined {
    return this.#editor.get(kind, this.text('id') ?? '');
  }

  /** Returns the object before its transition: an existing one, else a new one in the state `before`. */
  start<Kind extends SandboxKind>(
    kind: Kind,
    before: AnyFields,
    suggested: () => AnyFields = () => ({}),
  ): SandboxObjects[Kind] {
    return this.existing(kind) ?? this.create(kind, suggested(), before);
  }

  /** Makes the event's transition of the object, if the table allows it. Applies the caller's fields where they are free. */
  transition<Kind extends SandboxKind & StatefulObject>(
    kind: Kind,
    object: SandboxObjects[Kind],
    after: AnyFields,
  ): SandboxObjects[Kind] {
    const rows: readonly Transition[] = transitions[kind].transitions;
    const from: readonly string[] | string = rows.find(({ event }) => event === this.#type)?.from ?? 'any';
    const state = stateOf(kind, object);
    if (from !== 'any' && !from.includes(state)) {
      throw new Error(
        `sandbox.trigger: '${this.#type}' needs a ${kind} that is ${from}; '${object.id}' is ${state}.`,
      );
    }
    return this.change(kind, object.id, { ...after, ...this.fields });
  }

  change<Kind extends SandboxKind>(kind: Kind, id: string, fields: AnyFields): SandboxObjects[Kind] {
    // Validated by the editor, as above.
    return this.#editor.update(kind, id, fields as Partial<SandboxObjects[Kind]>);
  }

  /** Calls a route as a client would. A declined card is an expected result, not an error. */
  call(route: RouteName, id: string, body: AnyFields = {}): void {
    try {
      handlerFinder(this.state)(route)({ id, query: new URLSearchParams(), body });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'CARD_DECLINED') throw error;
    }
  }

  /** Creates an event that no state change emits. `publish` publishes it. */
  emit(object: object, type: string = this.#type): { readonly id: string } {
    const event = makeEvent(this.state, type, object, []);
    this.emitted = this.bare ? { ...event, bare: true } : event;
    this.#announced.push(this.emitted);
    return event;
  }

  /** Publishes these events after those of the state changes: an intent is created before it requires an action. */
  publish(): void {
    for (const event of this.#announced) publish(this.state, event);
  }
}
