import type { RequestFault } from '../../../api/faults/fault.ts';

/** The effect of each fault, in one sentence. */
const texts: Readonly<Record<RequestFault['kind'], string>> = {
  latency: 'The request or its reply was delayed.',
  refuse_connection: 'The connection was refused; nothing was sent.',
  drop_request: 'The connection broke before execution.',
  drop_reply: 'The connection broke after execution.',
  stall_body: 'The reply stalled half-way, after execution.',
  truncate_body: 'The connection broke half-way through the reply, after execution.',
  malformed_body: 'The reply was cut to invalid JSON, after execution.',
  respond: 'Another reply was sent instead.',
  bad_gateway: 'A proxy answered 502 with an HTML page.',
  unavailable: 'The service replied 503.',
  rate_limit: 'The service replied 429, without execution.',
  idempotency_error: 'The service rejected the key, without execution.',
  hold: 'The request was held before execution.',
  drop_during: 'The connection broke during execution.',
};

/** Returns the effect of a fault. */
export function faultText({ kind }: RequestFault): string {
  return texts[kind];
}
