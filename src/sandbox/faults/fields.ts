import type { Fault } from '../faults.ts';

const everywhere = ['kind', 'operation', 'route', 'skip', 'probability'] as const;

type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { readonly kind: Kind }>;
type OwnFields<Kind extends Fault['kind']> = Exclude<keyof FaultOf<Kind>, (typeof everywhere)[number]>;

const repeated = { times: true } as const;
const beforeOrAfter = { ...repeated, committed: true } as const;

/** The fields of each kind of fault, besides those that every fault has. */
const own: { readonly [Kind in Fault['kind']]: Readonly<Record<OwnFields<Kind>, true>> } = {
  latency: { ...beforeOrAfter, ms: true },
  refuse_connection: repeated,
  drop_request: repeated,
  drop_reply: repeated,
  stall_body: repeated,
  truncate_body: repeated,
  malformed_body: repeated,
  respond: { ...beforeOrAfter, status: true, headers: true, body: true },
  bad_gateway: beforeOrAfter,
  unavailable: { ...beforeOrAfter, retryAfter: true },
  rate_limit: { ...repeated, retryAfter: true },
  idempotency_error: { ...repeated, code: true },
  hold: { ms: true },
  drop_during: { ms: true },
};

/** The fields that a fault of a kind may have. */
export function fieldsOf(kind: Fault['kind']): readonly string[] {
  return [...everywhere, ...Object.keys(own[kind])];
}
