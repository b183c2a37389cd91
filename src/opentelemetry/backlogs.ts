import type { Attributes, Meter, MeterProvider, Observable } from '@opentelemetry/api';
import type { Inline } from '../base/runtime/runtime.ts';
import { checkOptions, having, optionsOf } from '../base/schema/options.ts';
import { array, optional } from '../base/schema/schema.ts';
import { bounded, second } from '../base/time.ts';
import { meterOf } from './instrumentation-scope.ts';

/** Something with open work, such as `payments.journal` or a webhook receiver. */
type Backlogged = Inline<{
  /** Counts the open work. */
  backlog(): Promise<{
    /** How much there is. */
    readonly count: number;
    /** The age of the oldest, in ms; `undefined` if there is none. */
    readonly oldest: number | undefined;
    /** Whether the store takes writes; `undefined` if the source does not tell. */
    readonly isWritable?: boolean | undefined;
    /** Whether a failover of the store is not acknowledged; `undefined` if the source does not tell. */
    readonly failedOver?: boolean | undefined;
  }>;
}>;

/** A webhook receiver. */
type WatchedReceiver = Inline<
  Backlogged & {
    /** The consumer, which tells its deliveries from those of others. */
    readonly consumer: string;
  }
>;

/** What to watch. */
export type WatchOptions = Inline<{
  /** `payments.journal`: its open operations. */
  readonly journal?: Backlogged | undefined;
  /** Webhook receivers: their failed deliveries. */
  readonly receivers?: readonly WatchedReceiver[] | undefined;
}>;

const optionsSchema = /* @__PURE__ */ optionsOf<WatchOptions>(() => ({
  journal: optional(having<Backlogged>('an object with backlog', 'backlog')),
  receivers: optional(array(having<WatchedReceiver>('a receiver', 'backlog'))),
}));

/** How long a collection of metrics waits for a store, in ms. */
const patience = 5 * second;

/** Returns a reader that never asks twice at once, so that a store that hangs does not lose a connection to each collection. */
function readerOf(source: Backlogged): Backlogged['backlog'] {
  let reading: ReturnType<Backlogged['backlog']> | undefined;
  return () => {
    reading ??= source.backlog().finally(() => {
      reading = undefined;
    });
    return bounded(reading, undefined, patience);
  };
}

/** Something to watch: where its backlog comes from, who uses its store, and the attributes of its metrics. */
interface Watched {
  readonly source: Backlogged;
  readonly role: 'journal' | 'receiver';
  readonly attributes: Attributes;
}

/**
 * Creates the gauges of one role, and reads them by one call of each source in each collection.
 *
 * @param failover A further one, which a journal has.
 */
function gauge(
  meter: Meter,
  name: string,
  things: string,
  watched: readonly Watched[],
  failover?: Observable,
) {
  const count = meter.createObservableGauge(name, { description: `Number of ${things}.` });
  const oldest = meter.createObservableGauge(`${name}_oldest`, {
    description: `Age of the oldest of the ${things}; 0 if there are none.`,
    unit: 's',
  });
  const up = meter.createObservableGauge('payments.store.up', {
    description: '1 if the store answered in time; otherwise 0.',
  });
  for (const { source, role, attributes } of watched) {
    const ofStore = { 'payments.store.role': role, ...attributes };
    const read = readerOf(source);
    const observe: Parameters<Meter['addBatchObservableCallback']>[0] = async (result) => {
      try {
        const backlog = await read();
        result.observe(count, backlog.count, attributes);
        result.observe(oldest, (backlog.oldest ?? 0) / 1000, attributes);
        if (failover !== undefined && backlog.failedOver !== undefined) {
          result.observe(failover, backlog.failedOver ? 1 : 0, attributes);
        }
        result.observe(up, backlog.isWritable === false ? 0 : 1, ofStore);
      } catch {
        // The other metrics must be collected, and the error may name a secret.
        result.observe(up, 0, ofStore);
      }
    };
    meter.addBatchObservableCallback(observe, [count, oldest, up, ...(failover ? [failover] : [])]);
  }
}

/** @throws ConfigurationError for a wrong or unknown option. */
export function watchBacklogs(meterProvider: MeterProvider, options: WatchOptions): void {
  checkOptions('watch', optionsSchema, options);
  const { journal, receivers = [] } = options;
  const meter = meterOf(meterProvider);
  if (journal !== undefined) {
    const watched: Watched = { source: journal, role: 'journal', attributes: {} };
    const failover = meter.createObservableGauge('payments.journal.failed_over', {
      description: '1 if a failover of the store is not acknowledged, else 0.',
    });
    gauge(meter, 'payments.journal.open', 'open operations', [watched], failover);
  }
  const byConsumer = receivers.map((receiver): Watched => {
    const attributes = { 'messaging.destination.name': receiver.consumer };
    return { source: receiver, role: 'receiver', attributes };
  });
  if (byConsumer.length > 0) gauge(meter, 'payments.webhook.failed', 'kept failed deliveries', byConsumer);
}
