import { describeValue } from '../base/describe.ts';
import { InvalidRequestError } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { Schema } from '../base/schema.ts';
import { issuesOf } from '../base/validation.ts';
import type { FormFields } from './encode.ts';
import { threeDSecureFields } from './three-d-secure.ts';

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
 * The fields of a transaction, once they may be sent.
 *
 * @throws InvalidRequestError that names each wrong one and repeats none, since any may hold a card.
 */
export function transactionFields(
  { operation, type, params, schema }: TransactionSpec,
  allowFailedAuthentication: boolean,
): FormFields {
  if (!isRecord(params)) {
    const issue = { path: 'params', expected: 'an object', received: describeValue(params, '', true) };
    throw new InvalidRequestError(operation, [issue]);
  }
  const plain = threeDSecureFields(operation, withType(operation, type, params), allowFailedAuthentication);
  const issues = issuesOf(schema, plain, { sensitive: true });
  if (issues.length > 0) throw new InvalidRequestError(operation, issues);
  return Object.entries(plain).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
}

const cardFields = ['ccnumber', 'cvv', 'ccexp', 'payment_token', 'cavv', 'xid'];

/** What fields hold of a card, or in place of one. */
export function cardDataOf(fields: FormFields): string[] {
  return fields.filter(([name]) => cardFields.includes(name)).map(([, value]) => value);
}
