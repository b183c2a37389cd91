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

/**
 * Creates two gauges, and reads both by one call of each source in each collection.
 *
 * @param failover A third one, which a journal has.
 */
function gauge(
  meter: Meter,
  name: string,
  things: string,
  sources: readonly [Backlogged, Attributes][],
  failover?: Observable,
) {
  const count = meter.createObservableGauge(name, { description: `Number of ${things}.` });
  const oldest = meter.createObservableGauge(`${name}_oldest`, {
    description: `Age of the oldest of the ${things}; 0 if there are none.`,
    unit: 's',
  });
  for (const [source, attributes] of sources) {
    const read = readerOf(source);
    const observe: Parameters<Meter['addBatchObservableCallback']>[0] = async (result) => {
      try {
        const backlog = await read();
        result.observe(count, backlog.count, attributes);
        result.observe(oldest, (backlog.oldest ?? 0) / 1000, attributes);
        if (failover !== undefined && backlog.failedOver !== undefined) {
          result.observe(failover, backlog.failedOver ? 1 : 0, attributes);
        }
      } catch {
        // Without an answer there is no value: the other metrics must be collected, and the error may name a secret.
      }
    };
    meter.addBatchObservableCallback(observe, failover ? [count, oldest, failover] : [count, oldest]);
  }
}

/** @throws ConfigurationError for a wrong or unknown option. */
export function watchBacklogs(meterProvider: MeterProvider, options: WatchOptions): void {
  checkOptions('watch', optionsSchema, options);
  const { journal, receivers = [] } = options;
  const meter = meterOf(meterProvider);
  if (journal !== undefined) {
    const failover = meter.createObservableGauge('payments.journal.failed_over', {
      description: '1 if a failover of the store is not acknowledged, else 0.',
    });
    gauge(meter, 'payments.journal.open', 'open operations', [[journal, {}]], failover);
  }
  const byConsumer = receivers.map((receiver): [Backlogged, Attributes] => [
    receiver,
    { 'messaging.destination.name': receiver.consumer },
  ]);
  if (byConsumer.length > 0) gauge(meter, 'payments.webhook.failed', 'kept failed deliveries', byConsumer);
}
