import type { RequestFault } from './fault.ts';
import type { FaultHit } from './hit.ts';

/** When a fault of each kind hits, unless `committed` is set. */
const phases: Readonly<Record<RequestFault['kind'], FaultHit['phase']>> = {
  latency: 'arrival',
  refuse_connection: 'arrival',
  drop_request: 'arrival',
  respond: 'arrival',
  bad_gateway: 'arrival',
  unavailable: 'arrival',
  rate_limit: 'arrival',
  idempotency_error: 'arrival',
  hold: 'work',
  drop_during: 'work',
  drop_reply: 'departure',
  stall_body: 'departure',
  truncate_body: 'departure',
  malformed_body: 'departure',
};

/** All kinds of faults. */
export const requestFaultKinds: readonly string[] = Object.keys(phases);

/** Returns when a fault hits. */
export function phaseOf(fault: RequestFault): FaultHit['phase'] {
  return 'committed' in fault && fault.committed === true ? 'departure' : phases[fault.kind];
}
