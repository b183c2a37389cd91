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
import { Redactor } from '../base/redact.ts';
import { errorCode } from '../base/thrown.ts';
import type { DeliveryInstrument, DeliveryOutcome, DeliveryReport } from '../webhooks/receiver/report.ts';
import { consumedMessages } from './consumed-messages.ts';
import { durationOf } from './duration.ts';

/** A refused delivery is not a failure of the receiver, since anyone can send one. */
const failedOutcomes: ReadonlySet<DeliveryOutcome> = new Set(['failed', 'unreadable']);

const operation = {
  'messaging.system.name': 'payments-client',
  'messaging.operation.name': 'process',
};

const redactor = new Redactor();
const code = (text: unknown) => (typeof text === 'string' ? redactor.code(text) : undefined);

/** Returns the code or name of an error: low cardinality, and without its message. */
function errorType({ outcome, error }: DeliveryReport): string | undefined {
  if (!failedOutcomes.has(outcome)) return undefined;
  if (error === undefined) return outcome;
  return code(errorCode(error)) ?? (error instanceof Error ? code(error.name) : undefined) ?? '_OTHER';
}

/** Removes attributes without a value. */
function known(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

/**
 * Returns the attributes that spans and metrics share. Low cardinality: no ids, no scope, and no type that anyone could
 * invent.
 */
function commonAttributes(report: DeliveryReport): Attributes {
  return known({
    ...operation,
    'messaging.destination.name': report.consumer,
    'payments.webhook.outcome': report.outcome,
    'payments.webhook.event_type': report.verified ? code(report.type) : undefined,
    'error.type': errorType(report),
  });
}

function describe(span: Span, report: DeliveryReport, common: Attributes): void {
  const { eventId } = report;
  span.setAttributes(
    known({
      ...common,
      'messaging.message.id': eventId === undefined ? undefined : redactor.id(eventId),
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
  const description = 'Duration of processing operation.';
  const recordDuration = durationOf(meterProvider, 'messaging.process.duration', description);
  const countMessage = consumedMessages(meterProvider);
  const attributes = { ...operation, 'messaging.operation.type': 'process' };
  return async (handle, consumer) => {
    const parent = context.active();
    const span = tracer.startSpan(`process ${consumer}`, { kind: SpanKind.CONSUMER, attributes }, parent);
    const within = trace.setSpan(parent, span);
    try {
      const report = await context.with(within, handle);
      const common = commonAttributes(report);
      describe(span, report, common);
      recordDuration(report.duration / 1000, common, within);
      if (report.outcome !== 'refused') countMessage(common, within);
    } finally {
      span.end();
    }
  };
}
