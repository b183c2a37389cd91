import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { onTestFinished } from 'vitest';
import { serve } from '../support/serve.ts';

/** Starts what Prometheus scrapes, until the test ends. */
export async function startExporter() {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const meterProvider = new MeterProvider({ readers: [exporter] });
  const server = await serve((request, response) => exporter.getMetricsRequestHandler(request, response));
  onTestFinished(async () => {
    server.close();
    await meterProvider.shutdown();
  });
  return { meterProvider, server };
}
