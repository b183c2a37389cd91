/** Every fault of a single request: each kind of fault of the sandbox, with the most misleading responses. */

import type { Fault } from 'payments-client-sandbox';

type RequestFault = Exclude<Fault, { readonly kind: `${string}_delivery` }>;

/** A fault without its position. */
export type Harm = RequestFault extends infer Kind
  ? Kind extends RequestFault
    ? Omit<Kind, 'skip' | 'times'>
    : never
  : never;

const beforeAndAfter = [false, true];

function replies(status: number, body?: unknown): Harm[] {
  return beforeAndAfter.map((committed) => ({ kind: 'respond', status, body, committed }));
}

const codes = [
  'IDEMPOTENCY_KEY_TOO_LONG',
  'IDEMPOTENCY_KEY_IN_PROGRESS',
  'IDEMPOTENCY_BODY_MISMATCH',
  'IDEMPOTENCY_ROUTE_CONFLICT',
  'IDEMPOTENCY_STORE_UNAVAILABLE',
] as const;

/** By kind, so that the compiler reports a missing one. */
const harmsByKind: { readonly [Kind in RequestFault['kind']]: readonly Harm[] } = {
  latency: beforeAndAfter.map((committed) => ({ kind: 'latency', ms: 0, committed })),
  refuse_connection: [{ kind: 'refuse_connection' }],
  drop_request: [{ kind: 'drop_request' }],
  drop_reply: [{ kind: 'drop_reply' }],
  webhook_before_reply: [{ kind: 'webhook_before_reply' }],
  drop_during: [{ kind: 'drop_during' }],
  hold: [{ kind: 'hold' }],
  stall_body: [{ kind: 'stall_body' }],
  truncate_body: [{ kind: 'truncate_body' }],
  malformed_body: [{ kind: 'malformed_body' }],
  bad_gateway: beforeAndAfter.map((committed) => ({ kind: 'bad_gateway', committed })),
  unavailable: beforeAndAfter.map((committed) => ({ kind: 'unavailable', committed })),
  rate_limit: [{ kind: 'rate_limit' }],
  idempotency_error: codes.map((code) => ({ kind: 'idempotency_error', code })),
  respond: [
    ...replies(200, '<html>Please log in</html>'),
    ...replies(200, {}),
    ...replies(400, { code: 'BAD_REQUEST' }),
    ...replies(401, { code: 'UNAUTHORIZED' }),
    ...replies(402, { error: { code: 'CARD_DECLINED', decline_code: 'do_not_honor' } }),
    ...replies(403, '<html>Forbidden</html>'),
    ...replies(404),
    ...replies(408),
    ...replies(409),
    ...replies(409, { code: 'INVALID_STATE_TRANSITION' }),
    ...replies(422, { code: 'UNPROCESSABLE' }),
    ...replies(500, { code: 'INTERNAL' }),
    ...replies(504),
  ],
};

/** All faults. */
export const harms: readonly Harm[] = Object.values(harmsByKind).flat();

/** Faults after which only the service knows that the request succeeded. */
export const losses: readonly Harm[] = [{ kind: 'drop_reply' }, { kind: 'drop_during' }];

/** Describes a fault in a test title. */
export function nameOf({ kind, ...harm }: Harm): string {
  const details = Object.values(harm).filter((value) => value !== undefined && value !== false);
  return [kind, ...details.map((value) => (value === true ? 'after the work' : JSON.stringify(value)))].join(
    ' ',
  );
}

/** Returns whether a fault strikes before the service processes the request. */
export function isBeforeProcessing(harm: Harm): boolean {
  return !('committed' in harm && harm.committed === true);
}
