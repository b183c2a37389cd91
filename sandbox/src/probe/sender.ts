import { deriveIdempotencyKey, type Issue } from 'payments-client';
import { untilAborted } from '../base/abort.ts';
import type { FormEncoding, HttpMethod } from '../base/interface-types.ts';
import { stringifySorted } from '../base/json.ts';
import { errorCode } from '../base/thrown.ts';
import { type parseBaseUrl, version } from '../sdk.ts';
import { readBytes } from './bytes.ts';
import { isImpossible } from './impossible.ts';
import {
  type Answer,
  isPlain,
  type Lock,
  type Question,
  type TestTransaction,
  toAnswer,
} from './question.ts';

/** One request, without redirects or retries. */
export interface WireRequest {
  readonly method: HttpMethod;
  readonly url: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** A response whose body is still to come. That of a `fetch` has this form too. */
export interface Received {
  readonly status: number;
  readonly headers: Answer['headers'];
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Sends a request until the signal aborts. It must not follow a redirect, since the key would go along. */
export type Send = (request: WireRequest, signal: AbortSignal) => Promise<Received>;

/** The probed service and its keys. */
export interface Service {
  readonly baseUrl: Exclude<ReturnType<typeof parseBaseUrl>, Issue>;
  readonly secretKey: string;
  /** Empty if the form endpoint is not probed. */
  readonly securityKey: string;
  readonly send: Send;
  /** Makes the idempotency keys of this run unique. */
  readonly runId: string;
  /** The timeout of one request, body included, in ms. */
  readonly timeout: number;
}

/** Longer than 255 characters: the interface says that a service refuses such a key. */
const tooLongKey = 'payments-client-probe-'.padEnd(300, 'x');

/** No parser accepts it as an object. */
const halfAnObject = '{"payments_client_probe":';

/** A `type` that no service has, without a card, a token or an amount. */
const emptyForm = ['type', 'no_such_type_payments_client_probe'] as const;

/** A number that cards do not have, only tests (*inferred*): a live endpoint declines it. No reading can pay with another one. */
const testCard = '4111111111111111';

/** Where transactions are sent. */
export const formPath = '/api/transact.php';

/** The headers and the body of a request. */
interface Content {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WireRequest['body'];
}

const json = { 'content-type': 'application/json' };

function lockedContent(method: string, lock: Lock): Content {
  const key = { 'idempotency-key': lock === 'key' ? tooLongKey : 'payments-client-probe' };
  // A deletion has no body to invalidate: only the id protects it.
  if (method === 'DELETE') return { headers: key, body: undefined };
  return { headers: { ...json, ...key }, body: lock === 'id' ? '{}' : halfAnObject };
}

/** Encodes a form. The runtime writes the boundary of a multipart form, and its `content-type`. */
async function encodeForm(
  fields: readonly (readonly [string, string])[],
  encoding: FormEncoding,
): Promise<Content> {
  const form = encoding === 'urlencoded' ? new URLSearchParams() : new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return { headers, body: new Uint8Array(await encoded.arrayBuffer()) };
}

/** Returns the fields of a test transaction. Its card expires in the last month of next year. */
function transactionFields({ transaction }: TestTransaction): readonly (readonly [string, string])[] {
  const fields = Object.entries(transaction);
  if (transaction.type === 'void') return fields;
  const year = String(new Date().getUTCFullYear() + 1).slice(-2);
  return [...fields, ['ccnumber', testCard], ['ccexp', `12${year}`], ['cvv', '123']];
}

async function contentOf(question: Question, service: Service): Promise<Content> {
  const authorized = { authorization: `Bearer ${service.secretKey}` };
  switch (question.kind) {
    case 'read':
      return { headers: authorized, body: undefined };
    case 'locked': {
      const { headers, body } = lockedContent(question.method, question.lock);
      return { headers: { ...authorized, ...headers }, body };
    }
    case 'write': {
      const key = deriveIdempotencyKey(`probe.${question.operation}`, service.runId);
      const headers = { ...authorized, ...json, 'idempotency-key': key };
      return { headers, body: question.body === undefined ? undefined : stringifySorted(question.body) };
    }
    case 'form': {
      const key = question.securityKey === 'right' ? service.securityKey : 'payments-client-probe';
      return encodeForm([['security_key', key], emptyForm], question.encoding);
    }
    case 'transaction': {
      const key = ['security_key', service.securityKey] as const;
      return encodeForm([key, ...transactionFields(question)], question.encoding);
    }
  }
}

/** Returns the path of a request with its query. */
export function targetOf(question: Question): string {
  if (!('path' in question)) return formPath;
  const query = new URLSearchParams(question.kind === 'read' ? question.query : {}).toString();
  return query === '' ? question.path : `${question.path}?${query}`;
}

/** Returns the HTTP method of a request. */
export function methodOf(question: Question): WireRequest['method'] {
  if (question.kind === 'read') return 'GET';
  return 'path' in question ? question.method : 'POST';
}

/** No response arrived, or a broken one. The message is the failure's code, or says what is wrong with the response. */
export class Unanswered extends Error {
  /** The size of the answer, as far as it was read. */
  readonly bytes: number;

  constructor(message: string, bytes = 0) {
    super(message);
    this.bytes = bytes;
  }
}

/** The most bytes of an answer. A page of a thousand objects has fewer. */
const maxMegabytes = 4;
const maxBytes = maxMegabytes * 1024 * 1024;

/** A longer body is read on up to here, so that a session counts what a service without end sends. */
const maxRead = 32 * 1024 * 1024;

/** @throws Error for a request protected only by its id, if that id may exist, and for a path that may lead elsewhere. */
export function checkHarmless(question: Question): void {
  if ('path' in question && !question.path.slice(1).split('/').every(isPlain)) {
    throw new Error('expected a path of plain segments, got another one.');
  }
  if (question.kind !== 'locked' || isImpossible(question.path)) return;
  if (question.method === 'POST' && question.lock === 'key') return;
  throw new Error(`${question.method} ${question.path} is not protected.`);
}

const utf8 = new TextDecoder();

/** Returns the code of a failure or of its cause, such as `ECONNREFUSED`. Its message may contain the key. */
function failureCode(error: unknown): string {
  const codes = [error, error instanceof Error ? error.cause : undefined].map(errorCode);
  const isCode = (code: unknown) => typeof code === 'string' && /^[A-Z][A-Z\d_]*$/.test(code);
  return String(codes.find(isCode) ?? 'NETWORK');
}

/**
 * Sends one request without retries.
 *
 * @throws Unanswered when no complete answer arrives in time, or one that is too large.
 */
export async function send(question: Question, service: Service): Promise<Answer> {
  checkHarmless(question);
  const { headers, body } = await contentOf(question, service);
  const { origin, prefix } = service.baseUrl;
  const request = {
    method: methodOf(question),
    url: `${origin}${prefix}${targetOf(question)}`,
    headers: {
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': `payments-client-probe/${version}`,
      ...headers,
    },
    body,
  };
  const signal = AbortSignal.timeout(service.timeout);
  try {
    const received = await untilAborted(() => service.send(request, signal), signal);
    const { bytes, size } = await untilAborted(() => readBytes(received.body, maxBytes, maxRead), signal);
    if (size > maxBytes) throw new Unanswered(`a body over ${maxMegabytes} MB`, size);
    return toAnswer(received.status, received.headers, utf8.decode(bytes));
  } catch (error) {
    if (error instanceof Unanswered) throw error;
    throw new Unanswered(signal.aborted ? 'TIMEOUT' : failureCode(error));
  }
}
