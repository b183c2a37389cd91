import { invalidRequest } from '../base/errors.ts';
import type { Snapshot } from '../base/json.ts';
import { fieldNames } from '../base/schema/field-names.ts';
import type { Call, Encoded, Encoding } from '../http/call.ts';
import { acceptParams, checkParams } from '../http/request/arguments.ts';
import { withPlainCard } from './card.ts';
import { encodeForm, type FormEncoding, type FormFields } from './encode.ts';
import { fieldNameIssues } from './field-names.ts';
import { journaledSale } from './journaled-sale.ts';
import { type FormAmounts, transactionSchemas } from './params.ts';
import { type AuthenticationOptions, threeDSecureFields } from './three-d-secure.ts';

/** What a method sends. */
export interface TransactionKind {
  /** The type that the method stands for; absent where the parameters name it. */
  readonly type?: string | undefined;
  /** The method whose parameters it takes. */
  readonly takes: keyof ReturnType<typeof transactionSchemas>;
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
  throw invalidRequest(operation, [issue]);
}

/**
 * The fields that are refused whatever `validation` says. They decide what happens to which money: without a type the endpoint may
 * take a sale, and a refund without an amount, or of zero, may give back all of it. A second `security_key` may name another merchant.
 */
const essentialFields = /* @__PURE__ */ new Set(['type', 'amount', 'transactionid', 'security_key']);

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
function transactionFields(
  copied: Snapshot,
  call: Call,
  { type, takes }: TransactionKind,
  amounts: FormAmounts,
  options: AuthenticationOptions,
): FormFields {
  const { operation } = call;
  const given = acceptParams(call, copied, true);
  const nameIssues = fieldNameIssues(Object.keys(given), call.connection.redactor);
  if (nameIssues.length > 0) throw invalidRequest(operation, nameIssues);
  const typed = threeDSecureFields(operation, withType(operation, type, given), options);
  // Another form may be the one that the service takes, since `MMYY` is inferred: then `validation` is `warn` or `off`.
  const plain = call.connection.validation === 'throw' ? withPlainCard(typed) : typed;
  const schema = transactionSchemas(amounts, plain['currency'])[takes];
  checkParams(call, schema, plain, {
    sensitive: true,
    takesAny: type === undefined,
    isEssential: (field) => essentialFields.has(field) || !isSendable(plain[field]),
  });
  return Object.entries(plain).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
}

/** The forms that the endpoint takes. */
interface FormsOfEndpoint {
  readonly encoding: FormEncoding;
  readonly amounts: FormAmounts;
}

/** Checks the fields of a transaction, and makes them a form. */
export class TransactionEncoding implements Encoding<AuthenticationOptions> {
  readonly isKeyed = false;
  readonly #kind: TransactionKind;
  readonly #path: string;
  readonly #forms: FormsOfEndpoint;

  constructor(kind: TransactionKind, path: string, forms: FormsOfEndpoint) {
    this.#kind = kind;
    this.#path = path;
    this.#forms = forms;
  }

  encode(copied: Snapshot, call: Call, options: AuthenticationOptions): Encoded {
    const { encoding, amounts } = this.#forms;
    const fields = transactionFields(copied, call, this.#kind, amounts, options);
    return {
      path: this.#path,
      query: '',
      body: {
        kind: 'form',
        seal: (securityKey) => encodeForm([['security_key', securityKey], ...fields], encoding),
        fields,
        fieldNames: () => fieldNames(transactionSchemas(amounts, undefined)[this.#kind.takes]),
        record: () => journaledSale(fields),
      },
    };
  }
}
