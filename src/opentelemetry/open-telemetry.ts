import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api';
import { checkOptions, having, optionsOf } from '../base/schema/options.ts';
import { boolean, optional } from '../base/schema/schema.ts';
import type { Hooks } from '../http/client/hooks.ts';
import type { DeliveryInstrument } from '../webhooks/receiver/reports/report.ts';
import { type WatchOptions, watchBacklogs } from './backlogs.ts';
import { callHooks } from './calls.ts';
import { deliveryInstrument } from './deliveries.ts';
import { tracerOf } from './instrumentation-scope.ts';
import { type CountVerdict, verdictCounter } from './velocity.ts';

/** Options of {@link openTelemetry}. */
type OpenTelemetryOptions = {
  /** Creates the tracer. Default: the global provider. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Creates the meter. Default: the global provider. */
  readonly meterProvider?: MeterProvider | undefined;
  /**
   * Whether to record a client span and `http.client.request.duration` for each attempt of a call. Set it to false if an
   * instrumentation of `node:http` or `fetch` does both: its spans are then children of the call's span. Default: true.
   */
  readonly attemptSpans?: boolean | undefined;
};

const optionsSchema = /* @__PURE__ */ optionsOf<OpenTelemetryOptions>(() => ({
  tracerProvider: optional(having<TracerProvider>('a provider with getTracer', 'getTracer')),
  meterProvider: optional(having<MeterProvider>('a provider with getMeter', 'getMeter')),
  attemptSpans: optional(boolean()),
}));

/**
 * Returns the hooks of a client and the instrument of a webhook receiver, which record spans and metrics, and two functions for
 * further metrics. They follow the semantic conventions for HTTP clients and for messaging.
 *
 * @throws ConfigurationError for a wrong or unknown option.
 *
 * @example
 * const telemetry = openTelemetry();
 * const payments = new PaymentsClient({ hooks: telemetry.hooks });
 * const webhooks = new Webhooks({ secret, instrument: telemetry.instrument });
 * telemetry.watch({ journal: payments.journal });
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): {
  /**
   * Record a span for each call, a client span for each of its attempts, and the metrics `http.client.request.duration`,
   * `payments.calls`, by operation, outcome and class of the error, and `payments.call.duration`.
   * `payments.call.retries` and `payments.call.shed` count retries and what was not sent, and the gauge `payments.retry_budget.left` is what the
   * `retryBudget` had left at the last attempt.
   * Each request is sent within the span of its attempt. The hook `error` stays free for your own use.
   */
  readonly hooks: Hooks;
  /**
   * Records a span and the metrics of each delivery. The handler runs within the span, so the spans of its calls are its
   * children. The parent is the active span, such as the HTTP server's.
   */
  readonly instrument: DeliveryInstrument;
  /**
   * Registers the gauges `payments.journal.open` and `payments.webhook.failed`, the age of the oldest of each, and
   * `payments.store.up`. Each collection of metrics asks each store once. A store that fails, or does not answer within 5 s, is not
   * up, and leaves its other gauges without a value.
   *
   * Call it once, after the program has set up its metrics.
   *
   * @throws ConfigurationError for a wrong or unknown option.
   */
  readonly watch: (options: WatchOptions) => void;
  /**
   * Counts a verdict of `VelocityGuard.check` as `payments.velocity.checks`, by its decision and the first rule that it
   * exceeds.
   */
  readonly countVerdict: CountVerdict;
} {
  checkOptions('openTelemetry', optionsSchema, options);
  const { tracerProvider = trace, meterProvider = metrics, attemptSpans = true } = options;
  const tracer = tracerOf(tracerProvider);
  return {
    hooks: callHooks(tracer, meterProvider, attemptSpans),
    instrument: deliveryInstrument(tracer, meterProvider),
    watch: (watched) => watchBacklogs(meterProvider, watched),
    countVerdict: verdictCounter(meterProvider),
  };
}
