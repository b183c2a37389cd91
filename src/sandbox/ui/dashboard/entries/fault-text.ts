import type { RequestFault } from '../../../api/faults/fault.ts';

/** The effect of each fault, in one sentence. */
const texts: Readonly<Record<RequestFault['kind'], string>> = {
  latency: 'The request or its reply was delayed.',
  refuse_connection: 'The connection was refused; nothing was sent.',
  drop_request: 'The connection broke; nothing was done.',
  drop_reply: 'The service did it; then the connection broke.',
  stall_body: 'The service did it; the reply stopped half-way.',
  truncate_body: 'The service did it; the connection broke half-way through the reply.',
  malformed_body: 'The service did it; the reply was cut to broken JSON.',
  respond: 'Another reply was sent in its place.',
  bad_gateway: 'A proxy answered 502 with a page of HTML.',
  unavailable: 'The service answered 503.',
  rate_limit: 'The service answered 429; nothing was done.',
  idempotency_error: 'The service refused the key; nothing was done.',
  hold: 'The request was held before it was done.',
  drop_during: 'The connection broke while the request was being done.',
};

/** Returns the effect of a fault. */
export function faultText({ kind }: RequestFault): string {
  return texts[kind];
}
