/** When to look at an order again, though no event came. */

import { day, hour, minute } from '../../base/time.ts';
import type { OrderRecord } from './record.ts';
import {
  isCapturable,
  isClosable,
  isInDoubt,
  isSendable,
  isUnmeasured,
  lossTimesOf,
  type Terms,
  watchedFor,
} from './steps.ts';
import { isPayable, isToShip } from './sums.ts';
import { needsOf } from './view.ts';

/** The time of an order that waits for a person alone: it is listed, and never due. */
export const never = Number.MAX_SAFE_INTEGER;

/** A refund that stays pending, and an order that is paid in part, are looked at for this long. */
const longWatchedFor = 60 * day;

/** Returns the pause before the next try after a number of failures in a row, in ms. */
function backOff(failures: number): number {
  return failures === 0 ? 0 : Math.min(6 * hour, minute * 2 ** (failures - 1));
}

/** Returns when to ask again for something of an age: often at first, then less and less. */
function nextLook(since: number, now: number): number {
  return now + Math.min(day, Math.max(15 * minute, (now - since) / 2));
}

/** Whether a process has something to do that waits for nobody. */
function isBusy(record: OrderRecord, terms: Terms): boolean {
  const { missing, parts, payments } = record;
  const isHanding = isToShip(record) && !missing;
  const isPaying = payments.some(isUnmeasured) || (isPayable(record) && !missing);
  const isCapturing = payments.some((payment) => isCapturable(record, payment, terms));
  const isRefunding = parts.some((part) => isSendable(record, part, terms));
  return (
    isHanding ||
    isPaying ||
    isCapturing ||
    isRefunding ||
    payments.some((payment) => isClosable(record, payment, terms))
  );
}

/** Returns when to ask again for each thing that only the service knows. */
function looks({ payments, parts, strays, settled, canceled }: OrderRecord, now: number): number[] {
  const unpaid = payments.filter(
    ({ status }) => !['paid', 'declined', 'dropped', 'unknown'].includes(status),
  );
  const refunds = [...parts, ...strays].filter(({ status }) => status === 'pending');
  const isPartPaid = settled === null && !canceled && payments.some(({ status }) => status === 'paid');
  const paid = isPartPaid ? payments.filter(({ status }) => status === 'paid') : [];
  const watched = [
    // Its row may be edited to what was paid.
    ...paid.map(({ since }) => ({ since, until: since + longWatchedFor })),
    ...unpaid.map((payment) => {
      const { since } = payment;
      return { since, until: isInDoubt(payment) ? Number.POSITIVE_INFINITY : since + watchedFor };
    }),
    ...refunds.map(({ since }) => ({ since, until: since + longWatchedFor })),
  ];
  return watched.filter(({ until }) => until > now).map(({ since }) => nextLook(since, now));
}

/** Returns when to look at an order again, in ms; null if nothing is to be expected. */
export function wakeAtOf(record: OrderRecord, terms: Terms): number | null {
  const { now } = terms;
  const pause = backOff(record.failures);
  if (isBusy(record, terms)) return Math.floor(now + pause);
  const times = looks(record, now);
  times.push(...lossTimesOf(record).filter((time) => time > now));
  // Somebody may restore the row.
  const isPaid = isPayable(record) || isToShip(record);
  if (record.missing && isPaid) times.push(now + hour);
  if (times.length > 0) return Math.floor(Math.min(...times) + pause);
  return needsOf(record, terms).length > 0 ? never : null;
}
