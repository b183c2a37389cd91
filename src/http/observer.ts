import { messageOf } from '../base/message-of.ts';
import type { Redactor } from '../base/redact.ts';
import { builtinModule } from '../base/runtime.ts';
import { type CallEvent, type Events, eventNames, type Hooks, type Logger } from './hooks.ts';

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

/** A diagnostics channel. */
interface Channel {
  hasSubscribers(): boolean;
  publish(message: unknown): void;
}

/** A channel of `node:diagnostics_channel`. In workerd `hasSubscribers` is a method. */
interface NodeChannel {
  readonly hasSubscribers: unknown;
  publish(message: unknown): void;
}

const nameOf = (event: string) => `payments-client:${event}`;

function hasSubscribers(channel: NodeChannel): unknown {
  const has = channel.hasSubscribers;
  return typeof has === 'function' ? Reflect.apply(has, channel, []) : has;
}

function toChannel(channel: NodeChannel): Channel {
  return {
    hasSubscribers: () => hasSubscribers(channel) === true,
    publish: (message) => channel.publish(message),
  };
}

/** Whether the channels of the module work. */
function works(diagnostics: { channel(name: string): NodeChannel }): boolean {
  const channel = diagnostics.channel(nameOf('start'));
  return typeof hasSubscribers(channel) === 'boolean' && typeof channel.publish === 'function';
}

/** Opens a channel for each event; none if the runtime has no channels. */
function openChannels(events: readonly string[]): ReadonlyMap<string, Channel> {
  const diagnostics = builtinModule('node:diagnostics_channel', works);
  return new Map(
    diagnostics && events.map((event) => [event, toChannel(diagnostics.channel(nameOf(event)))]),
  );
}

/** Runs user code. Neither its throw nor its rejection reaches the call. */
function isolate(run: () => unknown, onFailure: (error: unknown) => void = () => {}): void {
  const fail = (error: unknown) => {
    try {
      onFailure(error);
    } catch {
      // A failure while reporting a failure has nowhere to go.
    }
  };
  try {
    const result = run();
    if (result instanceof Promise) result.catch(fail);
  } catch (error) {
    fail(error);
  }
}

/** Sends events to the user's hooks, logger and diagnostics channels. */
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

  /** Emits an event. Builds it only if something listens. Never throws. */
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
