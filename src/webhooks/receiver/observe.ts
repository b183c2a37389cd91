import { runWithin } from '../../base/isolate.ts';
import type { Handled, VerifiedBody, VerifiedDelivery } from './handled.ts';
import type { ActiveOptions } from './options.ts';
import { statusOf } from './reply.ts';
import type { DeliveryReport, DeliverySource } from './report.ts';
import { reportDelivery } from './reports.ts';

/** The outcome of a delivery, and the delivery if it was verified. */
interface Processed {
  readonly handled: Handled;
  readonly delivery: (VerifiedBody & Partial<VerifiedDelivery>) | undefined;
}

/** Processes a delivery inside the receiver's instrument, and reports it. */
export type Observe = (source: DeliverySource, process: () => Promise<Processed>) => Promise<Handled>;

type Seen = Pick<ActiveOptions<never>, 'consumer' | 'statuses' | 'instrument' | 'onDelivery' | 'logger'>;

function reportOf(
  { consumer, statuses }: Seen,
  source: DeliverySource,
  { handled, delivery }: Processed,
  duration: number,
): DeliveryReport {
  const { outcome, details, attempt, error } = handled;
  const { event, issues = [] } = delivery?.reading ?? {};
  return {
    outcome,
    source,
    status: source === 'request' ? statusOf(outcome, statuses, details?.status) : undefined,
    duration,
    consumer,
    verified: delivery !== undefined,
    reason: details?.reason,
    error,
    scope: delivery?.scope,
    eventId: event?.id,
    type: event?.type,
    attempt,
    issues,
  };
}

/** @param options The options of the receiver. */
export function observer(options: Seen): Observe {
  return async (source, process) => {
    const since = performance.now();
    const { handled, report } = await runWithin(
      (run) => options.instrument?.(async () => (await run()).report, options.consumer),
      async () => {
        const processed = await process();
        return { ...processed, report: reportOf(options, source, processed, performance.now() - since) };
      },
    );
    reportDelivery(options, report);
    return handled;
  };
}
