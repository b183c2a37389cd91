import {
  type Attributes,
  context,
  type MeterProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { errorCode } from '../base/functions.ts';
import { Redactor } from '../base/redact.ts';
import type { DeliveryInstrument, DeliveryReport } from '../webhooks/receiver/reports/report.ts';
import { deliveryMetrics } from './delivery-metrics.ts';

const operation = {
  'messaging.system.name': 'payments-client',
  'messaging.operation.name': 'process',
};

const redactor = /* @__PURE__ */ new Redactor();
const code = (text: unknown) => (typeof text === 'string' ? redactor.code(text) : undefined);

/** A code has no id of the merchant's in it, which would make a series for each. A state of SQL has five characters. */
const isCode = (text: unknown) =>
  /^(?:[A-Z\d]{5}|(?=[A-Z])(?:[A-Z_]|\d{1,2}(?!\d)){1,40})$/.test(String(text));

/** Returns the code or name of an error: low cardinality, and without its message. */
function errorType({ outcome, error }: DeliveryReport): string | undefined {
  // A refused delivery is not a failure of the receiver, since anyone can send one.
  if (outcome !== 'failed') return undefined;
  const own = errorCode(error);
  return (
    (isCode(own) ? code(own) : undefined) ??
    (error instanceof Error ? code(error.name) : undefined) ??
    '_OTHER'
  );
}

/** Removes attributes without a value. */
function known(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

/** Returns what a delivery is about. Low cardinality, as all attributes of metrics: no ids, no scope, no invented type. */
function subjectOf({ consumer, verified, type }: DeliveryReport): Attributes {
  return known({
    'messaging.destination.name': consumer,
    'payments.webhook.event_type': verified ? code(type) : undefined,
  });
}

/** Returns the attributes that spans and metrics share. */
function commonAttributes(report: DeliveryReport, subject: Attributes): Attributes {
  return known({
    ...operation,
    ...subject,
    'payments.webhook.outcome': report.outcome,
    'error.type': errorType(report),
  });
}

const shownId = (id: string | undefined) => (id === undefined ? undefined : redactor.id(id));

function describe(span: Span, report: DeliveryReport, common: Attributes): void {
  span.setAttributes(
    known({
      ...common,
      'messaging.message.id': shownId(report.eventId),
      // As the span of the call that returned the object has it.
      'payments.object_id': shownId(report.objectId),
      'payments.webhook.event_type': code(report.type),
      'payments.webhook.source': report.source,
      'payments.webhook.verified': report.verified,
      'payments.webhook.reason': report.reason,
      'payments.webhook.scope': report.scope,
      'payments.webhook.attempt': report.attempt,
    }),
  );
  if (common['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns the instrument that records a span for each delivery and its metrics. */
export function deliveryInstrument(tracer: Tracer, meterProvider: MeterProvider): DeliveryInstrument {
  const record = deliveryMetrics(meterProvider);
  const attributes = { ...operation, 'messaging.operation.type': 'process' };
  return async (handle, consumer) => {
    const parent = context.active();
    const span = tracer.startSpan(`process ${consumer}`, { kind: SpanKind.CONSUMER, attributes }, parent);
    const within = trace.setSpan(parent, span);
    try {
      const report = await context.with(within, handle);
      const subject = subjectOf(report);
      const common = commonAttributes(report, subject);
      describe(span, report, common);
      record(report, subject, common, within);
    } finally {
      span.end();
    }
  };
}
