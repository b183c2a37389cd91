import { checkOptions } from '../../../base/check-options.ts';
import { isIntegerFrom, maxTimer } from '../../../base/integer.ts';
import { type FieldsOf, integerFrom, numberFrom, unchecked } from '../../../base/options.ts';
import * as s from '../../../base/schema.ts';
import { deliveryFaultKinds } from '../../domain/records/delivery-fault.ts';
import { formPath, type Operation, routeNames } from '../operation.ts';
import type { RequestFault } from './fault.ts';
import { type IdempotencyCode, idempotencyCodes } from './idempotency-errors.ts';
import { requestFaultKinds } from './phase.ts';

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
  return name === 'transact.submit' || routeNames.some((known) => known === name);
}

function isRetryAfter(value: unknown): boolean {
  return typeof value === 'string' ? isHeaders({ value }) : isIntegerFrom(value, 0);
}

const isTimes = (value: unknown) => value === Number.POSITIVE_INFINITY || isIntegerFrom(value, 1);
const routeExpectation = `a route such as 'POST ${formPath}'`;

/** Unknown names are rejected, since a fault for one would wait forever without a sign. */
const target = {
  kind: unchecked<never>(),
  operation: s.optional(s.custom<Operation>(isOperation, "an operation such as 'refunds.create'")),
  route: s.optional(s.string(routeExpectation).check(s.regex(/^[A-Z]+ \/\S*$/, routeExpectation))),
  skip: s.optional(integerFrom(0)),
  probability: s.optional(numberFrom(0, 1)),
};

const repeated = { times: s.optional(s.custom<number>(isTimes, 'an integer from 1, or Infinity')) };
const beforeOrAfter = { ...repeated, committed: s.optional(s.boolean()) };
const retryAfter = s.optional(
  s.custom<string | number>(isRetryAfter, 'whole seconds from 0, or an HTTP date'),
);
const wait = numberFrom(0, maxTimer);
const holding = { ms: s.optional(wait) };

/** The fields of each kind, besides the common ones. */
const own: { readonly [Name in Kind]: FieldsOf<OwnFields<Name>> } = {
  latency: { ...beforeOrAfter, ms: wait },
  refuse_connection: repeated,
  drop_request: repeated,
  drop_reply: repeated,
  stall_body: repeated,
  truncate_body: repeated,
  malformed_body: repeated,
  respond: {
    ...beforeOrAfter,
    status: integerFrom(200, 599),
    headers: s.optional(s.custom<Readonly<Record<string, string>>>(isHeaders, 'headers that HTTP allows')),
    body: unchecked(),
  },
  bad_gateway: beforeOrAfter,
  unavailable: { ...beforeOrAfter, retryAfter },
  rate_limit: { ...repeated, retryAfter },
  idempotency_error: {
    ...repeated,
    code: s.custom<IdempotencyCode>(
      (code) => idempotencyCodes.some((known) => known === code),
      `one of ${idempotencyCodes.join(', ')}`,
    ),
  },
  hold: holding,
  drop_during: holding,
};

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
  checkOptions('faults.inject', s.strictObject({ ...target, ...own[kind] }), fault);
}
