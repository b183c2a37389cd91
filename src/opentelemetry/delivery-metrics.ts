import type { Attributes, Context, MeterProvider } from '@opentelemetry/api';
import type { DeliveryReport } from '../webhooks/receiver/reports/report.ts';
import { conventionalBounds, counterOf, histogramOf } from './instruments.ts';

/** A handler may run as long as its lease, which is a minute by default. */
const durationBounds = [...conventionalBounds, 30, 60, 120, 300];
const attemptBounds = [1, 2, 3, 5, 10, 20];
/** From a second to a week, in seconds: a service may repeat a delivery for days. */
const delayBounds = [1, 5, 15, 60, 300, 900, 3600, 14_400, 43_200, 86_400, 259_200, 604_800];

/**
 * Records the metrics of a delivery.
 *
 * @param subject The consumer and the type of the event.
 * @param common The subject, and the result.
 */
export type RecordDelivery = (
  report: DeliveryReport,
  subject: Attributes,
  common: Attributes,
  context: Context,
) => void;

/** Returns a recorder of the metrics of deliveries. */
export function deliveryMetrics(meterProvider: MeterProvider): RecordDelivery {
  const recordDuration = histogramOf(meterProvider, 'messaging.process.duration', durationBounds, {
    description: 'Duration of processing operation.',
    unit: 's',
  });
  const countMessage = counterOf(meterProvider, 'messaging.client.consumed.messages', {
    description: 'Number of messages that were delivered to the application.',
    unit: '{message}',
  });
  const recordAttempt = histogramOf(meterProvider, 'payments.webhook.attempt', attemptBounds, {
    description: 'Which attempt at its event a delivery was.',
    unit: '{attempt}',
  });
  const recordDelay = histogramOf(meterProvider, 'payments.webhook.delay', delayBounds, {
    description: 'Time from the creation of an event until it was handled.',
    unit: 's',
  });
  const countDrift = counterOf(meterProvider, 'payments.webhook.drift', {
    description: 'Number of deliveries whose event differs from the interface.',
    unit: '{delivery}',
  });
  return ({ outcome, duration, reason, attempt, created, type, issues }, subject, common, context) => {
    recordDuration(
      duration / 1000,
      reason === undefined ? common : { ...common, 'payments.webhook.reason': reason },
      context,
    );
    if (outcome !== 'refused') countMessage(1, common, context);
    if (attempt !== undefined) recordAttempt(attempt, subject, context);
    if (type !== undefined && issues.length > 0) countDrift(1, subject, context);
    if (outcome !== 'handled' || created === undefined) return;
    // The clock of the service may be ahead.
    recordDelay(Math.max(0, Date.now() - created.getTime()) / 1000, subject, context);
  };
}
