import { TimeoutError } from 'ky';
import { stringifyCanonical } from '../base/json.ts';
import { Redactor } from '../base/redact.ts';
import { version } from '../base/version.ts';
import { failureIn, sendByKy } from '../http/attempt.ts';
import type { BaseUrl } from '../http/base-url.ts';
import { deriveIdempotencyKey } from '../http/idempotency.ts';
import { formatQuery } from '../http/route.ts';
import type { Transport, WireRequest } from '../http/transport/transport.ts';
import { encodeForm } from '../transact/encode.ts';
import { isImpossible } from './impossible.ts';
import { type Answer, isPlain, type Lock, type Question, toAnswer } from './question.ts';

/** The probed service and its keys. */
export interface Service {
  readonly baseUrl: BaseUrl;
  readonly secretKey: string;
  /** Empty if the form endpoint is not probed. */
  readonly securityKey: string;
  readonly transport: Transport;
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

const formPath = '/api/transact.php';

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

function contentOf(question: Question, service: Service): Content {
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
      return { headers, body: question.body === undefined ? undefined : stringifyCanonical(question.body) };
    }
    case 'form': {
      const key = question.securityKey === 'right' ? service.securityKey : 'payments-client-probe';
      const { contentType, content } = encodeForm([['security_key', key], emptyForm], question.encoding);
      return { headers: { 'content-type': contentType }, body: content };
    }
  }
}

/** Returns the path of a request with its query. */
export function targetOf(question: Question): string {
  if (question.kind === 'form') return formPath;
  return question.path + (question.kind === 'read' ? formatQuery('probe', question.query) : '');
}

/** Returns the HTTP method of a request. */
export function methodOf(question: Question): WireRequest['method'] {
  if (question.kind === 'read') return 'GET';
  return question.kind === 'form' ? 'POST' : question.method;
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

/** @throws Error for a request protected only by its id, if that id may exist, and for a path that may lead elsewhere. */
export function checkHarmless(question: Question): void {
  if (question.kind !== 'form' && !question.path.slice(1).split('/').every(isPlain)) {
    throw new Error('expected a path of plain segments, got another one.');
  }
  if (question.kind !== 'locked' || isImpossible(question.path)) return;
  if (question.method === 'POST' && question.lock === 'key') return;
  throw new Error(`${question.method} ${question.path} is not protected.`);
}

/**
 * Sends one request without retries.
 *
 * @throws Unanswered when no complete answer arrives in time, or one that is too large.
 */
export async function send(question: Question, service: Service): Promise<Answer> {
  checkHarmless(question);
  const { headers, body } = contentOf(question, service);
  const { origin, prefix } = service.baseUrl;
  const request: WireRequest = {
    method: methodOf(question),
    origin,
    path: `${prefix}${targetOf(question)}`,
    body,
    // No question charges a card.
    leavesOnce: false,
    headers: { accept: '*/*', 'user-agent': `payments-client-probe/${version}`, ...headers },
  };
  const exchange = { request, neverLeft: false, head: undefined };
  try {
    const received = await sendByKy(service.transport, exchange, service.timeout);
    const { status, headers: given, text, bytes } = received;
    if (bytes > maxMegabytes * 1024 * 1024) throw new Unanswered(`a body over ${maxMegabytes} MB`, bytes);
    return toAnswer(status, given, text);
  } catch (error) {
    if (error instanceof Unanswered) throw error;
    // The error of ky contains the key.
    throw new Unanswered(
      error instanceof TimeoutError ? 'TIMEOUT' : failureIn(error, exchange, new Redactor()).code,
    );
  }
}
