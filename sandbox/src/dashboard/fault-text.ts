import type { RequestFault } from '../api/faults/fault.ts';
import { durationText, heading } from './kit/values.tsx';

/** What the other faults of requests do. */
const ofRequests: Readonly<Record<Exclude<RequestFault['kind'], 'latency' | 'idempotency_error'>, string>> = {
  drop_reply: 'Executed, but the reply is lost',
  drop_request: 'The connection breaks before execution',
  drop_during: 'The connection breaks during execution',
  refuse_connection: 'The connection is refused',
  hold: 'Held before execution',
  webhook_before_reply: 'The webhooks arrive before the reply',
  stall_body: 'The reply stalls half-way',
  truncate_body: 'The connection breaks half-way through the reply',
  malformed_body: 'The reply is invalid JSON',
  respond: 'Another reply',
  bad_gateway: '502 with an HTML page',
  unavailable: '503 unavailable',
  rate_limit: '429 rate limit',
};

/** Returns what a fault of requests does. */
export function faultText(fault: RequestFault): string {
  if (fault.kind === 'latency') return `Delayed by ${durationText(fault.ms)}`;
  return fault.kind === 'idempotency_error' ? heading(fault.code.toLowerCase()) : ofRequests[fault.kind];
}
