import type { Fault } from './faults.ts';
import type { FaultStrike } from './hit.ts';

/** When a fault of each kind strikes, unless it asks for the work to be done first. */
const stages: Readonly<Record<Fault['kind'], FaultStrike['stage']>> = {
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

/** The names of all faults. */
export const faultKinds: readonly string[] = Object.keys(stages);

/** When a fault strikes. */
export function stageOf(fault: Fault): FaultStrike['stage'] {
  return 'committed' in fault && fault.committed === true ? 'departure' : stages[fault.kind];
}
