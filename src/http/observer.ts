import { type AroundAttempt, aroundAttempt } from '../base/around-attempt.ts';
import { openChannels } from '../base/diagnostics.ts';
import { isolate } from '../base/isolate.ts';
import { type Logger, writeLine } from '../base/logger.ts';
import type { Redactor } from '../base/redact.ts';
import { messageOf } from '../base/thrown.ts';
import type { PreparedCall, Progress } from './call.ts';
import type { CallEvent, Events, Hooks, ResponseEvent } from './hooks.ts';

type EventName = keyof Events;

/** In the order in which a call has them. */
const eventNames: readonly EventName[] = ['start', 'request', 'response', 'retry', 'error', 'end'];

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
  readonly #channels = openChannels(eventNames);

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
    const channel = this.#channels.get(name);
    const line = lines[name];
    const write = line && this.#logger?.[line[0]];
    if (hook === undefined && write === undefined && channel?.hasSubscribers !== true) return;
    const event = makeEvent();
    if (hook !== undefined) {
      isolate(
        () => hook(event),
        (error) => this.#warnOfHook(name, event, error),
      );
    }
    isolate(() => channel?.publish(event));
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

export function attemptEvent(
  { identity, connection, request, path, route, idempotencyKey, redactor }: PreparedCall,
  { attempts }: Progress,
): Omit<ResponseEvent, 'status' | 'duration' | 'requestId' | 'idempotentReplayed'> {
  const { origin, prefix } = connection.baseUrl;
  return {
    callId: identity.callId,
    operation: identity.operation,
    method: request.method,
    baseUrl: `${origin}${prefix}`,
    // A caller may have passed a card number or a key as the id.
    path: redactor.text(path),
    route,
    attempt: attempts,
    idempotencyKey,
  };
}
