import { runWithin } from '../../../base/functions.ts';
import type { WebhookEvent } from '../../events/event.ts';
import type { VerifiedDelivery } from '../inline.ts';
import type { ActiveOptions } from '../options.ts';
import { type Handled, statusOf } from '../outcome.ts';
import type { DeliveryReport, DeliverySource } from './report.ts';
import { reportDelivery } from './reports.ts';

/** The outcome of a delivery, and the delivery if it was verified. */
interface Processed {
  readonly handled: Handled;
  readonly delivery: Partial<VerifiedDelivery> | undefined;
}

/** Processes a delivery inside the receiver's instrument, and reports it. */
export type Observe = (source: DeliverySource, process: () => Promise<Processed>) => Promise<Handled>;

type Seen = Pick<ActiveOptions<never>, 'consumer' | 'instrument' | 'onDelivery' | 'logger'>;

/** Matches a time in ISO 8601. `Date` accepts other text too, such as `1`. */
const isoTime = /^\d{4}-\d\d-\d\dT/;

/** Returns when an event happened; `undefined` if its `created` is not a time in ISO 8601. */
function creationOf(event: WebhookEvent | undefined): Date | undefined {
  // The field is unchecked in an event that differs from the interface.
  const created: unknown = event?.created;
  const time = typeof created === 'string' && isoTime.test(created) ? Date.parse(created) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}

function reportOf(
  consumer: string,
  source: DeliverySource,
  { handled, delivery }: Processed,
  duration: number,
): DeliveryReport {
  const { outcome, reason, attempt, error } = handled;
  const { event, issues = [] } = delivery?.reading ?? {};
  return {
    outcome,
    source,
    status: source === 'request' ? statusOf(handled) : undefined,
    duration,
    consumer,
    verified: delivery !== undefined,
    reason,
    error,
    scope: delivery?.scope,
    eventId: event?.id,
    type: event?.type,
    created: creationOf(event),
    attempt,
    issues,
  };
}

/** @param options The options of the receiver. */
export function observer(options: Seen): Observe {
  const { consumer, instrument, onDelivery, logger } = options;
  const isUnseen = instrument === undefined && onDelivery === undefined && logger === undefined;
  // Nobody reads the report, and making it costs a delivery time.
  if (isUnseen) return async (_source, process) => (await process()).handled;
  return async (source, process) => {
    const since = performance.now();
    const { handled, report } = await runWithin(
      (run) => instrument?.(async () => (await run()).report, consumer),
      async () => {
        const processed = await process();
        return { ...processed, report: reportOf(consumer, source, processed, performance.now() - since) };
      },
    );
    reportDelivery(options, report);
    return handled;
  };
}
