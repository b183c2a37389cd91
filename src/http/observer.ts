import { type AroundAttempt, aroundAttempt } from '../base/around-attempt.ts';
import { isolate } from '../base/isolate.ts';
import { type Logger, writeLine } from '../base/logger.ts';
import type { Redactor } from '../base/redact.ts';
import { messageOf } from '../base/thrown.ts';
import type { CallEvent, Events, Hooks } from './hooks.ts';

type EventName = keyof Events;

type Line = readonly [message: string, fields: object];

/** The log line of each event: its level and its text. */
const lines: {
  readonly [Name in EventName]?: readonly [keyof Logger, (event: Events[Name]) => Line];
} = {
  request: ['debug', ({ headers: _, ...event }) => [`${event.operation}: attempt ${event.attempt}`, event]],
  response: ['debug', (event) => [`${event.operation}: ${event.status}`, event]],
  retry: [
    'info',
    (event) => [
      `${event.operation}: retry in ${Math.round(event.wait)} ms`,
      { ...event, error: event.error.toJSON() },
    ],
  ],
  error: ['error', (event) => [event.error.message, { ...event, error: event.error.toJSON() }]],
};

/** Hooks, with the one that only this package sets. */
type AllHooks = Hooks & { readonly [aroundAttempt]?: AroundAttempt };

export class Observer {
  readonly #hooks: { readonly [Name in EventName]?: ((event: Events[Name]) => unknown) | undefined };
  /** Runs the sending of an attempt within a span; `undefined` without telemetry. */
  readonly around: AroundAttempt | undefined;
  readonly #logger: Logger | undefined;
  readonly #redactor: Redactor;

  constructor(hooks: AllHooks, logger: Logger | undefined, redactor: Redactor) {
    this.#hooks = hooks;
    this.around = hooks[aroundAttempt];
    this.#logger = logger;
    this.#redactor = redactor;
  }

  /** Emits an event. Builds it only if something listens. Never throws. */
  emit<Name extends EventName>(name: Name, makeEvent: () => Events[Name]): void {
    try {
      this.#emit(name, makeEvent);
    } catch {
      // An observer never changes a call.
    }
  }

  #emit<Name extends EventName>(name: Name, makeEvent: () => Events[Name]): void {
    const hook = this.#hooks[name];
    const line = lines[name];
    const write = line && this.#logger?.[line[0]];
    if (hook === undefined && write === undefined) return;
    const event = makeEvent();
    if (hook !== undefined) {
      isolate(
        () => hook(event),
        (error) => this.#warnOfHook(name, event, error),
      );
    }
    if (line !== undefined && write !== undefined) writeLine(this.#logger, line[0], ...line[1](event));
  }

  /** Writes a warning. Never throws. */
  warn(message: string, fields: object): void {
    writeLine(this.#logger, 'warn', message, fields);
  }

  #warnOfHook(hook: EventName, { callId }: CallEvent, error: unknown): void {
    const reason = this.#redactor.text(messageOf(error));
    this.warn(`the ${hook} hook failed; the call goes on`, { callId, hook, reason });
  }
}
