import { isRecord, parseJson } from '../base/json.ts';
import type { HttpMethod } from '../http/route.ts';
import type { ResponseHeaders } from '../http/transport/received.ts';
import type { FormEncoding } from '../transact/encode.ts';

/** Reads. */
interface Read {
  readonly kind: 'read';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * What keeps a request from doing anything, should its path exist: a key longer than the interface allows with half a JSON object,
 * half a JSON object alone, or an id that no object has.
 */
export type Lock = 'key' | 'body' | 'id';

/** Asks whether a path exists, in a way that changes nothing. */
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
  /** What the idempotency key is derived from, together with the id of the run. */
  readonly operation: string;
}

/** Sends a form that names no card, no token and no amount. */
interface Form {
  readonly kind: 'form';
  readonly encoding: FormEncoding;
  readonly securityKey: 'right' | 'wrong';
}

/** One request. Only `sender.ts` turns it into bytes, so no reading can send anything else. */
export type Question = (Read | Locked | Write | Form) & {
  /** Asks again what was asked before. */
  readonly again?: true;
};

/** What the service answered. */
export interface Answer {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly text: string;
  /** The JSON of the body; `undefined` where it is none. */
  readonly json: unknown;
}

/** An answer from its parts. */
export function toAnswer(status: number, headers: ResponseHeaders, text: string): Answer {
  return { status, headers, text, json: parseJson(text) };
}

/** A reading that asks as it goes: it yields questions, and gets an answer, or nothing where none came. */
export type Reading<T> = Generator<Question, T, Answer | undefined>;

/** An answer that is a 2xx; `undefined` of any other. */
export function okOf(answer: Answer | undefined): Answer | undefined {
  return answer !== undefined && answer.status >= 200 && answer.status < 300 ? answer : undefined;
}

/** Reads something. */
export function* read(path: string, query?: Readonly<Record<string, string>>): Reading<Answer | undefined> {
  return yield query === undefined ? { kind: 'read', path } : { kind: 'read', path, query };
}

/** A field of an object; `undefined` of anything else. */
export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
