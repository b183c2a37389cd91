/** With the instrumentation of `node:http`, each attempt has one client span, below the span of its call, and is counted once. */

import { createRequire } from 'node:module';
import { SpanKind } from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { PaymentsClient } from 'payments-client';
import { openTelemetry } from 'payments-client/opentelemetry';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { refund, refundParams } from '../support/fixtures.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { serve } from '../support/serve.ts';
import { followContexts, startTelemetry } from '../support/telemetry.ts';

const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId;
const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId;

const instrumentation = new HttpInstrumentation({ disableIncomingRequestInstrumentation: true });
// The instrumentation patches the module on `require`.
createRequire(import.meta.url)('node:http');
afterAll(() => instrumentation.disable());

/** Makes a call with two attempts in a program that instruments `node:http`. */
async function callTwice(options: Parameters<typeof openTelemetry>[0]) {
  skipBackOff();
  followContexts();
  const telemetry = startTelemetry();
  instrumentation.setTracerProvider(telemetry.options.tracerProvider);
  instrumentation.setMeterProvider(telemetry.options.meterProvider);
  let requests = 0;
  const { url, close } = await serve((_request, response) => {
    requests += 1;
    response.writeHead(requests === 1 ? 503 : 200).end(JSON.stringify(refund));
  });
  onTestFinished(close);
  const { hooks } = openTelemetry({ ...telemetry.options, ...options });
  const payments = new PaymentsClient({ baseUrl: url, secretKey: 'sk_v1_test_instrumented', hooks });
  await payments.refunds.create(refundParams, { operationId: 'order-1' });
  const clientSpans = telemetry.spans().filter(({ kind }) => kind === SpanKind.CLIENT);
  const call = telemetry.spans().find(({ name }) => name === 'payments refunds.create');
  const durations = (await telemetry.scopes()).flatMap(({ scope, metrics }) =>
    metrics
      .filter(({ descriptor }) => descriptor.name === 'http.client.request.duration')
      .flatMap(({ dataPoints }) => dataPoints.map(() => scope.name)),
  );
  return { clientSpans, call, durations };
}

const instrumentationSpans = '@opentelemetry/instrumentation-http';

it('records no client spans and no durations with attemptSpans: false', async () => {
  const { clientSpans, call, durations } = await callTwice({ attemptSpans: false });
  expect(clientSpans.map(({ instrumentationScope }) => instrumentationScope.name)).toEqual([
    instrumentationSpans,
    instrumentationSpans,
  ]);
  expect(clientSpans.map(parentOf)).toEqual([idOf(call), idOf(call)]);
  expect(call?.attributes).toMatchObject({ 'payments.attempts': 2 });
  // One for each status.
  expect(durations).toEqual([instrumentationSpans, instrumentationSpans]);
});

it('has the spans of the instrumentation below those of its attempts by default', async () => {
  const { clientSpans, call } = await callTwice({});
  const own = clientSpans.filter(
    ({ instrumentationScope }) => instrumentationScope.name !== instrumentationSpans,
  );
  const others = clientSpans.filter(
    ({ instrumentationScope }) => instrumentationScope.name === instrumentationSpans,
  );
  expect(own.map(parentOf)).toEqual([idOf(call), idOf(call)]);
  expect(others.map(parentOf)).toEqual(own.map(idOf));
});
