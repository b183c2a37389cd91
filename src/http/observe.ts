import type { PaymentsError } from '../base/errors.ts';
import { messageOf } from '../base/message-of.ts';
import type { Redactor } from '../base/redact.ts';
import { openChannels } from './channels.ts';
import type { HttpMethod } from './route.ts';

/** What every event of a call tells. No event holds a secret: sensitive headers are replaced, and bodies are left out. */
export interface CallEvent {
  /** The call's own id, a random UUID: the same in all its events, log lines and errors. */
  readonly callId: string;
  /** The method that was called, for example `refunds.create`; verb and path where it was `payments.request`. */
  readonly operation: string;
}

/** What a hook learns of an attempt. */
export interface RequestEvent extends CallEvent {
  /** The HTTP verb. */
  readonly method: HttpMethod;
  /** Where the service is, as the client's options say. */
  readonly baseUrl: string;
  /** The path after the base URL, without its query. */
  readonly path: string;
  /** The path with `{id}` in place of ids; `undefined` for `payments.request`. */
  readonly route: string | undefined;
  /** Which attempt it is, from 1. */
  readonly attempt: number;
  /** The idempotency key that it carries, or `undefined`. */
  readonly idempotencyKey: string | undefined;
  /** The headers that it carries. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a hook learns of a response, before its body is understood. */
export interface ResponseEvent extends Omit<RequestEvent, 'headers'> {
  /** The HTTP status. */
  readonly status: number;
  /** How long the attempt took, body included, in ms. */
  readonly duration: number;
  /** The response's request id, or `undefined`. */
  readonly requestId: string | undefined;
  /** Whether the service replayed the result of an earlier request with the same key. */
  readonly idempotentReplayed: boolean;
}

/** What a hook learns before a retry. */
export interface RetryEvent extends Omit<RequestEvent, 'headers'> {
  /** Why the attempt failed. */
  readonly error: PaymentsError;
  /** The request id of its response, or `undefined`. */
  readonly requestId: string | undefined;
  /** How long the SDK waits before the next attempt, in ms. */
  readonly wait: number;
}

/** What a hook learns of a call that failed for good. */
export interface ErrorEvent extends CallEvent {
  /** The error that the caller gets. */
  readonly error: PaymentsError;
  /** The request id of the response that it came from, or `undefined`. */
  readonly requestId: string | undefined;
}

/** What a hook learns of a call that is over. */
export interface EndEvent extends CallEvent {
  /** How long the call took, with all attempts and the waits between them, in ms. */
  readonly duration: number;
  /** The error that the caller gets; `undefined` where the call went well, or nobody wants its result any more. */
  readonly error: PaymentsError | undefined;
}

/**
 * Functions that are told what happens. They only watch: what they return is ignored, they are not waited for, and one that throws never
 * changes the result of a call (the logger gets a warning).
 */
export interface Hooks {
  /** Once for each call, before anything else, while the caller's own code is still running. */
  readonly start?: ((event: CallEvent) => unknown) | undefined;
  /** Before each attempt. */
  readonly request?: ((event: RequestEvent) => unknown) | undefined;
  /** After each response, whatever its status. */
  readonly response?: ((event: ResponseEvent) => unknown) | undefined;
  /** Before the wait that precedes a retry. */
  readonly retry?: ((event: RetryEvent) => unknown) | undefined;
  /** Once for each call that fails. */
  readonly error?: ((event: ErrorEvent) => unknown) | undefined;
  /** Once for each call that started, whatever came of it. */
  readonly end?: ((event: EndEvent) => unknown) | undefined;
}

/** Writes one line. */
type Write = ((message: string, fields: Record<string, unknown>) => unknown) | undefined;

/**
 * Where log lines go: `console`, a pino or a winston logger, as it is. A pino logger, which is told by its
 * `Symbol.for('pino.serializers')`, gets the fields first. Fields are free of secrets, card data and bodies.
 */
export interface Logger {
  /** Each attempt and each response. */
  readonly debug?: Write;
  /** Each retry. */
  readonly info?: Write;
  /** A hook that threw, or a response accepted though it does not match its schema. */
  readonly warn?: Write;
  /** Each call that fails. */
  readonly error?: Write;
}

/** The levels of a logger, lowest first. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const satisfies (keyof Logger)[];

interface Events {
  readonly start: CallEvent;
  readonly request: RequestEvent;
  readonly response: ResponseEvent;
  readonly retry: RetryEvent;
  readonly error: ErrorEvent;
  readonly end: EndEvent;
}

type EventName = keyof Events;

/** The events, in the order in which a call has them. */
export const eventNames = [
  'start',
  'request',
  'response',
  'retry',
  'error',
  'end',
] as const satisfies EventName[];

type Line = readonly [message: string, fields: object];

/** The events that make a line in the log: at which level, and what it says. */
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

/** Runs code so that neither its throw nor its rejection reaches the call. */
function isolate(run: () => unknown, onFailure: (error: unknown) => void = () => {}): void {
  const fail = (error: unknown) => {
    try {
      onFailure(error);
    } catch {
      // A failure of what reports failures has nowhere to go.
    }
  };
  try {
    const result = run();
    if (result instanceof Promise) result.catch(fail);
  } catch (error) {
    fail(error);
  }
}

/** Tells the user's hooks and logger, and whoever subscribed to the channels, what happens. */
export class Observer {
  readonly #hooks: { readonly [Name in EventName]?: ((event: Events[Name]) => unknown) | undefined };
  readonly #logger: Logger | undefined;
  readonly #redactor: Redactor;
  readonly #channels = openChannels(eventNames);
  readonly #isPino: boolean;

  constructor(hooks: Hooks, logger: Logger | undefined, redactor: Redactor) {
    this.#hooks = hooks;
    this.#logger = logger;
    this.#redactor = redactor;
    this.#isPino = logger !== undefined && Symbol.for('pino.serializers') in logger;
  }

  /** Tells of an event, which is made where anybody learns of it. Never throws. */
  tell<Name extends EventName>(name: Name, makeEvent: () => Events[Name]): void {
    isolate(() => this.#tell(name, makeEvent));
  }

  #tell<Name extends EventName>(name: Name, makeEvent: () => Events[Name]): void {
    const hook = this.#hooks[name];
    const channel = this.#channels.get(name);
    const line = lines[name];
    const write = line && this.#logger?.[line[0]];
    if (hook === undefined && write === undefined && channel?.hasSubscribers() !== true) return;
    const event = makeEvent();
    if (hook !== undefined) {
      isolate(
        () => hook(event),
        (error) => this.#warnOfHook(name, event, error),
      );
    }
    isolate(() => channel?.publish(event));
    if (line !== undefined && write !== undefined) this.#log(line[0], ...line[1](event));
  }

  /** Writes a warning. Never throws. */
  warn(message: string, fields: object): void {
    this.#log('warn', message, fields);
  }

  #warnOfHook(hook: EventName, { callId }: CallEvent, error: unknown): void {
    const reason = this.#redactor.quote(messageOf(error));
    this.warn(`the ${hook} hook failed; the call goes on`, { callId, hook, reason });
  }

  #log(level: keyof Logger, message: string, fields: object): void {
    const logger = this.#logger;
    isolate(() => {
      const write = logger?.[level];
      if (write === undefined) return undefined;
      return Reflect.apply(write, logger, this.#isPino ? [fields, message] : [message, fields]);
    });
  }
}
