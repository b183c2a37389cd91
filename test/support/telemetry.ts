/** The real SDK of OpenTelemetry: spans and metrics in memory, and contexts that follow asynchronous work. */

import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  type IdGenerator,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import {
  openTelemetry,
  openTelemetryDeliveries,
  type TelemetryProviders,
} from 'payments-client/opentelemetry';
import { onTestFinished } from 'vitest';

/** Makes contexts follow asynchronous work until the test is over, as the SDK for Node does. */
export function followContexts(): void {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(() => context.disable());
}

/** Ids that differ also where a test draws no random numbers. */
function countingIds(): IdGenerator {
  let count = 0;
  const next = (length: number) => {
    count += 1;
    return count.toString(16).padStart(length, '0');
  };
  return { generateTraceId: () => next(32), generateSpanId: () => next(16) };
}

/** Keeps what hooks made of it tell. */
export function startTelemetry() {
  const spans = new InMemorySpanExporter();
  const started: string[] = [];
  const counting = {
    onStart: ({ name }: { readonly name: string }) => void started.push(name),
    onEnd: () => {},
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const tracerProvider = new BasicTracerProvider({
    idGenerator: countingIds(),
    spanProcessors: [counting, new SimpleSpanProcessor(spans)],
  });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const scopes = async () => {
    await reader.forceFlush();
    return exporter.getMetrics().at(-1)?.scopeMetrics ?? [];
  };
  onTestFinished(async () => {
    await meterProvider.shutdown();
    await tracerProvider.shutdown();
  });
  return {
    options: { tracerProvider, meterProvider } satisfies TelemetryProviders,
    hooks: openTelemetry({ tracerProvider, meterProvider }),
    instrument: openTelemetryDeliveries({ tracerProvider, meterProvider }),
    tracer: tracerProvider.getTracer('the shop'),
    /** The names of all spans that were started. */
    started: started as readonly string[],
    /** The spans that have ended, in that order. */
    spans: (): readonly ReadableSpan[] => spans.getFinishedSpans(),
    /** The metrics by the scope that made them. */
    scopes,
    metrics: async () => (await scopes()).flatMap((scope) => scope.metrics),
  };
}
