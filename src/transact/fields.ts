import { InvalidRequestError } from '../base/errors.ts';
import type { Schema } from '../base/schema.ts';
import type { Call } from '../http/call.ts';
import type { FormFields } from './encode.ts';
import { fieldNameIssues } from './field-names.ts';
import { type AuthenticationOptions, threeDSecureFields } from './three-d-secure.ts';

/** A transaction as a method describes it. */
export interface TransactionSpec {
  /** The method, for example `transact.sale`. */
  readonly operation: string;
  /** The type that the method stands for; absent where the parameters name it. */
  readonly type?: string | undefined;
  readonly params: unknown;
  readonly schema: Schema<unknown>;
}

function withType(operation: string, type: string | undefined, params: Record<string, unknown>) {
  if (type === undefined) return params;
  // One that contradicts the method could turn a sale into a refund.
  if (params['type'] === undefined || params['type'] === type) return { type, ...params };
  const issue = {
    path: 'type',
    expected: `nothing, since the method is ${operation}`,
    received: 'another type',
  };
  throw new InvalidRequestError(operation, [issue]);
}

/**
 * The fields that are refused whatever `validation` says. They decide what happens to which money: without a type the endpoint may
 * take a sale, and a refund without an amount, or of zero, may give back all of it. A second `security_key` may name another merchant.
 */
const essentialFields = new Set(['type', 'amount', 'transactionid', 'security_key']);

/** Whether a form can hold a value, or leaves it out. */
function isSendable(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

/**
 * Returns the fields of a transaction, once they may be sent.
 *
 * @throws InvalidRequestError that names each wrong one and repeats none, since any may hold a card.
 * @throws CardholderAuthenticationError unless the authentication succeeded, or an option allows its finding.
 */
export function transactionFields(
  call: Call,
  { operation, type, params, schema }: TransactionSpec,
  options: AuthenticationOptions,
): FormFields {
  const given = call.copyParams(params, schema, true);
  const nameIssues = fieldNameIssues(Object.keys(given), call.connection.redactor);
  if (nameIssues.length > 0) throw new InvalidRequestError(operation, nameIssues);
  const plain = threeDSecureFields(operation, withType(operation, type, given), options);
  call.checkParams(schema, plain, {
    sensitive: true,
    isEssential: (field) => essentialFields.has(field) || !isSendable(plain[field]),
  });
  return Object.entries(plain).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
}
