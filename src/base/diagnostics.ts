import { builtinModule } from './runtime.ts';

/** A channel of `node:diagnostics_channel`. In workerd `hasSubscribers` is a method. */
export interface Channel {
  readonly hasSubscribers: unknown;
  publish(message: unknown): void;
}

const nameOf = (event: string) => `payments-client:${event}`;

function hasSubscribers(channel: Channel): unknown {
  const has = channel.hasSubscribers;
  return typeof has === 'function' ? Reflect.apply(has, channel, []) : has;
}

/** Whether somebody listens to a channel. */
export function isWatched(channel: Channel | undefined): channel is Channel {
  return channel !== undefined && hasSubscribers(channel) === true;
}

/** Whether the channels of the module work. */
function works(diagnostics: { channel(name: string): Channel }): boolean {
  const channel = diagnostics.channel(nameOf('start'));
  return typeof hasSubscribers(channel) === 'boolean' && typeof channel.publish === 'function';
}

/** Opens the channel `payments-client:<event>` for each event; none if the runtime has no channels. */
export function openChannels(events: readonly string[]): ReadonlyMap<string, Channel> {
  const diagnostics = builtinModule('node:diagnostics_channel', works);
  return new Map(diagnostics && events.map((event) => [event, diagnostics.channel(nameOf(event))]));
}
