import type { FormEncoding, HttpMethod } from '../base/interface-types.ts';
import { isRecord, parseJson } from '../base/json.ts';

/** Reads. */
interface Read {
  readonly kind: 'read';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * What keeps a request harmless if its path exists: a key longer than the interface allows with half a JSON object,
 * half a JSON object alone, or an unknown id.
 */
export type Lock = 'key' | 'body' | 'id';

/** Asks whether a path exists without changing anything. */
interface Locked {
  readonly kind: 'locked';
  readonly method: Exclude<HttpMethod, 'GET'>;
  readonly path: string;
  readonly lock: Lock;
}

/** Writes an object that moves no money. */
interface Write {
  readonly kind: 'write';
  readonly method: HttpMethod;
  readonly path: string;
  readonly body?: object;
  /** The source of the idempotency key, together with the run's id. */
  readonly operation: string;
  /** Whether the object ends by itself, so that nothing is left to delete. */
  readonly expires?: true;
}

/** Sends a form without a card, a token or an amount. */
interface Form {
  readonly kind: 'form';
  readonly encoding: FormEncoding;
  readonly securityKey: 'right' | 'wrong';
}

/**
 * Pays with a card that exists only for tests, or voids such a payment. The amounts are 1.01 of a currency with cents, or 101 yen, as each
 * form writes them. An endpoint may take them for a hundred times as much.
 */
export interface TestTransaction {
  readonly kind: 'transaction';
  readonly encoding: FormEncoding;
  readonly transaction:
    | { readonly type: 'validate' }
    | {
        readonly type: 'sale';
        readonly amount: '1.01' | '101' | '101.00';
        /** Default: the account's. */
        readonly currency?: 'JPY';
        readonly orderid: string;
      }
    | { readonly type: 'void'; readonly transactionid: string };
}

/** One request. Only `sender.ts` turns it into bytes, so no reading can send anything else. */
export type Question = (Read | Locked | Write | Form | TestTransaction) & {
  /** Repeats an earlier question. */
  readonly again?: true;
};

/** The service's answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly text: string;
  /** The JSON of the body; `undefined` if it is not JSON. */
  readonly json: unknown;
}

/** Creates an answer from its parts. */
export function toAnswer(status: number, headers: Answer['headers'], text: string): Answer {
  return { status, headers, text, json: parseJson(text) };
}

/** A generator that yields questions, and receives an answer to each, or `undefined` if none arrived. */
export type Reading<T> = Generator<Question, T, Answer | undefined>;

/** Returns a 2xx answer; otherwise `undefined`. */
export function okOf(answer: Answer | undefined): Answer | undefined {
  return answer !== undefined && answer.status >= 200 && answer.status < 300 ? answer : undefined;
}

/** Asks a read. */
export function* read(path: string, query?: Readonly<Record<string, string>>): Reading<Answer | undefined> {
  return yield query === undefined ? { kind: 'read', path } : { kind: 'read', path, query };
}

/**
 * Returns whether a text is a plain segment of a path. Any other id of a service may lead to another path, as `../../../src` does.
 */
export function isPlain(text: string): boolean {
  return /^[A-Za-z\d][\w-]{0,127}$/.test(text);
}

/** Returns a field of an object; `undefined` for any other value. */
export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
