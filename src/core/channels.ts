/** A channel of `node:diagnostics_channel`. */
interface Channel {
  readonly hasSubscribers: boolean;
  publish(message: unknown): void;
}

/**
 * The channel of each event, named after it; none where the runtime has no channels. The module is asked for by its name, so that a
 * bundle for another runtime imports nothing.
 */
export function openChannels(events: readonly string[]): ReadonlyMap<string, Channel> {
  const diagnostics = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel');
  return new Map(
    diagnostics && events.map((event) => [event, diagnostics.channel(`payments-client:${event}`)]),
  );
}
