import { checkOptions } from '../../base/check-options.ts';
import { isIntegerFrom, maxTimer } from '../../base/integer.ts';
import { refuse } from '../../base/refuse.ts';
import * as s from '../../base/schema.ts';
import { deliveryFaultKinds } from '../../domain/records/delivery.ts';
import { nearest } from '../../sdk.ts';
import { formPath, type Operation, operations } from '../operation.ts';
import { type FaultHit, type IdempotencyCode, idempotencyCodes, type RequestFault } from './fault.ts';

type Kind = RequestFault['kind'];
type FaultOf<Name extends Kind> = Extract<RequestFault, { readonly kind: Name }>;
type OwnFields<Name extends Kind> = Omit<FaultOf<Name>, keyof typeof target>;

function isHeaders(headers: unknown): boolean {
  try {
    new Headers(Object(headers));
    return true;
  } catch {
    return false;
  }
}

function isOperation(name: unknown): boolean {
  return operations.some((known) => known === name);
}

const expectedOperation = "an operation such as 'refunds.create'";

/** Like the name of a method, and longer than any. */
const methodName = /^[a-z]{1,30}\.[a-z]{1,30}$/i;

/** Returns the operation that was probably meant: a near one, else the nearest one of its collection. */
function meantOperation(name: string): string | undefined {
  const collection = `${name.split('.')[0]}.`.toLowerCase();
  const ofCollection = operations.filter((known) => known.toLowerCase().startsWith(collection));
  return nearest(name, operations) ?? nearest(name, ofCollection, Number.POSITIVE_INFINITY);
}

/** Unlike a message about other text, this one may repeat what looks like a method: it is no secret. */
function checkOperation(operation: unknown): void {
  if (typeof operation !== 'string' || isOperation(operation) || !methodName.test(operation)) return;
  const meant = meantOperation(operation);
  const issue = { path: 'faults.inject.operation', expected: expectedOperation, received: `'${operation}'` };
  refuse([issue], meant === undefined ? 'Pass an operation.' : `Did you mean '${meant}'?`);
}

function isRetryAfter(value: unknown): boolean {
  return typeof value === 'string' ? isHeaders({ value }) : isIntegerFrom(value, 0);
}

const isTimes = (value: unknown) => value === Number.POSITIVE_INFINITY || isIntegerFrom(value, 1);
const routeExpectation = `a route such as 'POST ${formPath}'`;

/** Unknown names are rejected, since a fault for one would wait forever without a sign. */
const target = {
  kind: s.unchecked<never>(),
  operation: s.optional(s.custom<Operation>(isOperation, expectedOperation)),
  route: s.optional(s.string(routeExpectation).check(s.regex(/^[A-Z]+ \/\S*$/, routeExpectation))),
  skip: s.optional(s.integerFrom(0)),
  probability: s.optional(s.numberFrom(0, 1)),
};

const repeated = { times: s.optional(s.custom<number>(isTimes, 'an integer from 1, or Infinity')) };
const beforeOrAfter = { ...repeated, committed: s.optional(s.boolean()) };
const retryAfter = s.optional(
  s.custom<string | number>(isRetryAfter, 'whole seconds from 0, or an HTTP date'),
);
const code = s.custom<IdempotencyCode>(
  (given) => idempotencyCodes.some((known) => known === given),
  `one of ${idempotencyCodes.join(', ')}`,
);
const wait = s.numberFrom(0, maxTimer);
const holding = { ms: s.optional(wait) };

/** When a fault of each kind hits unless `committed` is set, and its fields besides the common ones. */
const kinds: {
  readonly [Name in Kind]: readonly [phase: FaultHit['phase'], own: s.FieldsOf<OwnFields<Name>>];
} = {
  latency: ['arrival', { ...beforeOrAfter, ms: wait }],
  refuse_connection: ['arrival', repeated],
  drop_request: ['arrival', repeated],
  respond: [
    'arrival',
    {
      ...beforeOrAfter,
      status: s.integerFrom(200, 599),
      headers: s.optional(s.custom<Readonly<Record<string, string>>>(isHeaders, 'headers that HTTP allows')),
      body: s.unchecked(),
    },
  ],
  bad_gateway: ['arrival', beforeOrAfter],
  unavailable: ['arrival', { ...beforeOrAfter, retryAfter }],
  rate_limit: ['arrival', { ...repeated, retryAfter }],
  idempotency_error: ['arrival', { ...repeated, code }],
  hold: ['work', holding],
  drop_during: ['work', holding],
  drop_reply: ['departure', repeated],
  webhook_before_reply: ['departure', repeated],
  stall_body: ['departure', repeated],
  truncate_body: ['departure', repeated],
  malformed_body: ['departure', repeated],
};

export const requestFaultKinds: readonly string[] = Object.keys(kinds);

export function phaseOf(fault: RequestFault): FaultHit['phase'] {
  return 'committed' in fault && fault.committed === true ? 'departure' : kinds[fault.kind][0];
}

/** Whether a fault keeps back the reply of an executed request. */
export function delaysReply(fault: RequestFault | undefined): boolean {
  return fault?.kind === 'webhook_before_reply' || (fault?.kind === 'latency' && fault.committed === true);
}

const kindSchema = s.custom<Kind>(
  (kind) => requestFaultKinds.some((known) => known === kind),
  `one of ${[...requestFaultKinds, ...deliveryFaultKinds].join(', ')}`,
);

/**
 * Validates a fault, which may come from JSON.
 *
 * @throws ConfigurationError when a field is out of range, or names an unknown operation or a malformed route.
 */
export function checkFault(fault: RequestFault): void {
  const { kind } = fault;
  checkOptions('faults.inject.kind', kindSchema, kind, 'Pass the kind of a fault.');
  checkOperation(fault.operation);
  checkOptions('faults.inject', s.strictObject({ ...target, ...kinds[kind][1] }), fault);
}
