import type { RequestFault } from '../../../api/faults/fault.ts';
import { countText } from '../kit/format.ts';
import { pageData } from '../kit/page-data.ts';

/** The `times` of a fault without a limit. JSON has no infinity. */
export const always = Number.MAX_SAFE_INTEGER;

/** The operations that a fault can target. */
export const operations = [
  ['', 'any request'],
  ...pageData.operations.map((name) => [name, name] as const),
] as const;

/**
 * Returns which requests a fault hits, and how often: `refunds.create, 2 times, after 1 request, with a probability
 * of 0.5`.
 */
export function targetText(fault: RequestFault): string {
  const { operation, route, skip, probability } = fault;
  const times = 'times' in fault ? fault.times : undefined;
  const endless = times === always || (times === undefined && probability !== undefined);
  return [
    operation ?? route ?? 'any request',
    endless ? 'until cleared' : countText(times ?? 1, 'time'),
    ...(skip ? [`after ${countText(skip, 'request')}`] : []),
    ...(probability === undefined ? [] : [`with a probability of ${probability}`]),
  ].join(', ');
}
