import { builtinModule } from './runtime.ts';

export interface Channel {
  readonly hasSubscribers: boolean;
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
  const isChannel = (one: NodeChannel): one is Channel => typeof one.hasSubscribers === 'boolean';
  if (isChannel(channel)) return channel;
  return {
    get hasSubscribers() {
      return hasSubscribers(channel) === true;
    },
    publish: (message) => channel.publish(message),
  };
}

function works(diagnostics: { channel(name: string): NodeChannel }): boolean {
  const channel = diagnostics.channel(nameOf('start'));
  return typeof hasSubscribers(channel) === 'boolean' && typeof channel.publish === 'function';
}

/** Opens the channel `payments-client:<event>` for each event; none if the runtime has no channels. */
export function openChannels(events: readonly string[]): ReadonlyMap<string, Channel> {
  const diagnostics = builtinModule('node:diagnostics_channel', works);
  return new Map(
    diagnostics && events.map((event) => [event, toChannel(diagnostics.channel(nameOf(event)))]),
  );
}
