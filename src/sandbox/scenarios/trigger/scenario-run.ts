import type { RouteName } from '../../../resources/routes.ts';
import { type StatefulObject, type Transition, transitions } from '../../../resources/transitions.ts';
import { handlerFinder } from '../../api/handlers/all-handlers.ts';
import { ObjectEditor } from '../../domain/object-editor.ts';
import { Problem } from '../../domain/problem.ts';
import type { SandboxEvent } from '../../domain/records/event.ts';
import type { SandboxKind, SandboxObjects } from '../../domain/records/records.ts';
import type { State } from '../../domain/state.ts';
import { makeEvent } from '../../webhooks/emit-events.ts';
import { publish } from '../../webhooks/publish.ts';

/** Whatever fields somebody gave. */
export type AnyFields = Readonly<Record<string, unknown>>;

/** The state of an object, as the table of transitions names it. */
function stateOf(kind: StatefulObject, object: object): string {
  if (kind === 'terminal_batch' && Reflect.get(object, 'status') !== 'closed') return 'open';
  return String(Reflect.get(object, transitions[kind].field));
}

/** What is needed to make an event happen: the objects, the transitions, and the fields that the object is to have. */
export class ScenarioRun {
  /** What the sandbox remembers. */
  readonly state: State;
  /** What the object is to be. */
  readonly fields: AnyFields;
  /** Whether a notification comes without its envelope. */
  readonly bare: boolean;
  /** The event, once it has happened. */
  emitted: SandboxEvent | undefined;
  readonly #announced: SandboxEvent[] = [];
  readonly #editor: ObjectEditor;

  constructor(state: State, fields: AnyFields, bare: boolean) {
    this.state = state;
    this.fields = fields;
    this.bare = bare;
    this.#editor = new ObjectEditor(state);
  }

  /** The present time in seconds. */
  get now(): number {
    return this.state.clock.seconds();
  }

  /** A field that was asked for, where it is a text. */
  text(name: string): string | undefined {
    const value = this.fields[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** A field that was asked for, where it is a number. */
  number(name: string): number | undefined {
    const value = this.fields[name];
    return typeof value === 'number' ? value : undefined;
  }

  /** Puts an object there that the event only needs. */
  add<Kind extends SandboxKind>(kind: Kind, fields: AnyFields = {}): SandboxObjects[Kind] {
    // The editor takes no field for granted: it checks them by the schema of the kind.
    return this.#editor.add(kind, fields as Partial<SandboxObjects[Kind]>);
  }

  /** The object that the event is about, as it comes into being: with what was asked for, else as suggested. */
  create<Kind extends SandboxKind>(kind: Kind, suggested: AnyFields = {}): SandboxObjects[Kind] {
    return this.add(kind, { ...suggested, ...this.fields });
  }

  /** The object as it is asked for by its id, if there is one. */
  existing<Kind extends SandboxKind>(kind: Kind): SandboxObjects[Kind] | undefined {
    return this.#editor.get(kind, this.text('id') ?? '');
  }

  /** The object before its transition: one that exists, else a new one, whose state is `before`. */
  start<Kind extends SandboxKind>(
    kind: Kind,
    before: AnyFields,
    suggested: () => AnyFields = () => ({}),
  ): SandboxObjects[Kind] {
    return this.existing(kind) ?? this.add(kind, { ...suggested(), ...this.fields, ...before });
  }

  /** Moves the object, to what was asked for where that is open. Only as the table of transitions allows. */
  transition<Kind extends SandboxKind & StatefulObject>(
    kind: Kind,
    object: SandboxObjects[Kind],
    event: string,
    after: AnyFields,
  ): SandboxObjects[Kind] {
    const rows: readonly Transition<string>[] = transitions[kind].transitions;
    const from = rows.find((row) => row.event === event)?.from ?? 'any';
    const state = stateOf(kind, object);
    if (from !== 'any' && !from.includes(state)) {
      throw new Error(
        `sandbox.trigger: '${event}' needs a ${kind} that is ${from}; '${object.id}' is ${state}.`,
      );
    }
    return this.change(kind, object.id, { ...after, ...this.fields });
  }

  /** Changes an object. */
  change<Kind extends SandboxKind>(kind: Kind, id: string, fields: AnyFields): SandboxObjects[Kind] {
    // Checked by the editor, as above.
    return this.#editor.update(kind, id, fields as Partial<SandboxObjects[Kind]>);
  }

  /** Calls a route as a client would. A declined card is what was wanted, so it is no failure. */
  call(route: RouteName, id: string, body: AnyFields = {}): void {
    try {
      handlerFinder(this.state)(route)({ id, query: new URLSearchParams(), body });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'CARD_DECLINED') throw error;
    }
  }

  /** Makes an event that no state change emits. `publish` sends it. */
  emit(type: string, object: object): { readonly id: string } {
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
