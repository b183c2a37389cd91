/** The real OpenTelemetry SDK: spans and metrics in memory, with asynchronous context. */

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
import { openTelemetry } from 'payments-client/opentelemetry';
import { onTestFinished } from 'vitest';

/** Enables asynchronous context until the test ends, as the SDK for Node does. */
export function followContexts(): void {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(() => context.disable());
}

/** Returns ids that differ even if a test fixes random numbers. */
function countingIds(): IdGenerator {
  let count = 0;
  const next = (length: number) => {
    count += 1;
    return count.toString(16).padStart(length, '0');
  };
  return { generateTraceId: () => next(32), generateSpanId: () => next(16) };
}

/** Starts recording spans and metrics. */
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
    options: { tracerProvider, meterProvider } satisfies Parameters<typeof openTelemetry>[0],
    ...openTelemetry({ tracerProvider, meterProvider }),
    tracer: tracerProvider.getTracer('the shop'),
    /** The names of all started spans. */
    started: started as readonly string[],
    /** The ended spans, in order. */
    spans: (): readonly ReadableSpan[] => spans.getFinishedSpans(),
    /** The metrics, by scope. */
    scopes,
    metrics: async () => (await scopes()).flatMap((scope) => scope.metrics),
  };
}
