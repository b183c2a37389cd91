import type fc from 'fast-check';
import { type Fault, faultsAt } from './fault.ts';

/** A response. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What reaches the caller: a reply, or what became of its connection. */
type Answer =
  | 'reply'
  /** The connection was never made. */
  | 'refused'
  /** The connection breaks. */
  | 'reset'
  /** Nothing comes until the caller gives up. */
  | 'silence'
  /** Half of the reply, and then the end of the connection, or nothing more. */
  | 'cut'
  | 'half';

/** One fault of the network, or of a proxy. Both drivers read this table. */
export interface NetworkFault {
  /** How many copies of the request reach the service. Default: 1. */
  readonly copies?: 0 | 2;
  /** Whether it arrives after the caller has given up, or later than requests that were sent after it. */
  readonly delay?: 'late' | 'slow';
  /** What the caller gets. Default: the reply. */
  readonly answer?: Answer;
  /** What a proxy says in place of the service. */
  readonly reply?: Reply | ((request: { readonly credential: string; readonly body: string }) => Reply);
  /** What becomes of the body of a 2xx. */
  readonly spoil?: (body: string) => string;
  /** Whether a second, unasked reply follows on the connection. */
  readonly isFollowed?: true;
  /** The fault in its place for a request without a key: no client could tell it from a rejection, or prevent a second sale. */
  readonly withoutKey?: string;
}

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };
const again = { 'retry-after': '0' };
const said = (status: number, code: string, headers = {}, message = 'chaos'): Reply => {
  return {
    status,
    headers: { ...json, ...headers },
    body: JSON.stringify({ error: { code, message } }),
  };
};
const page: Reply = { status: 200, headers: html, body: '<h1>Welcome</h1>' };
const failure: Reply = { status: 502, headers: { ...html, ...again }, body: 'Bad gateway' };
const conflict: Reply = { status: 409, headers: { 'content-type': 'text/plain' }, body: 'Conflict' };
const inProgress = said(409, 'IDEMPOTENCY_KEY_IN_PROGRESS', again);
const knownWord = '<html><title>IDEMPOTENCY_STORE_UNAVAILABLE: no such product</title></html>';
const echo = ({ credential, body }: { readonly credential: string; readonly body: string }): Reply =>
  said(502, 'BAD_GATEWAY', again, `cannot forward ${body} ${credential}`);

/** Who answers, and what is lost: "before" or "after" the service has executed the request. */
export const networkFaults: Readonly<Record<string, NetworkFault>> = {
  unreachable: { copies: 0, answer: 'refused' },
  lost: { copies: 0, answer: 'reset' },
  unanswered: { answer: 'reset' },
  'silence before': { copies: 0, answer: 'silence' },
  'silence after': { answer: 'silence' },
  late: { delay: 'late', answer: 'silence' },
  twice: { copies: 2, withoutKey: 'unanswered' },
  slow: { delay: 'slow' },
  cut: { answer: 'cut' },
  half: { answer: 'half' },
  odd: { spoil: () => '{"odd":true}' },
  empty: { spoil: () => '' },
  'broken JSON': { spoil: (body) => body.slice(0, body.length / 2), withoutKey: 'cut' },
  'page before': { copies: 0, reply: page },
  'page after': { reply: page },
  'failure before': { copies: 0, reply: failure },
  'failure after': { reply: failure },
  'error before': { copies: 0, reply: said(500, 'INTERNAL', again) },
  'error after': { reply: said(500, 'INTERNAL', again) },
  'unavailable before': { copies: 0, reply: said(503, 'SERVICE_UNAVAILABLE', again) },
  'unavailable after': { reply: said(503, 'SERVICE_UNAVAILABLE', again) },
  limited: { copies: 0, reply: said(429, 'RATE_LIMITED', again) },
  'store down': { copies: 0, reply: said(503, 'IDEMPOTENCY_STORE_UNAVAILABLE', again) },
  'in progress before': { copies: 0, reply: inProgress },
  'conflict before': { copies: 0, reply: conflict },
  'conflict after': { reply: conflict, withoutKey: 'failure after' },
  'cut conflict after': { reply: inProgress, answer: 'cut', withoutKey: 'unanswered' },
  'known word after': { reply: { status: 502, headers: html, body: knownWord } },
  'echo before': { copies: 0, reply: echo },
  'echo after': { reply: echo },
  followed: { isFollowed: true },
};

export const networkFaultsAt: fc.Arbitrary<Fault> = faultsAt('network', Object.keys(networkFaults));

/** Returns what to do to a request. */
export function networkFaultOf(name: string | undefined, isKeyed: boolean): NetworkFault {
  const fault = networkFaults[name ?? ''] ?? {};
  const other = isKeyed ? undefined : fault.withoutKey;
  return other === undefined ? fault : networkFaultOf(other, isKeyed);
}

/** Returns the reply that reaches the caller in place of the service's. */
export function replyThrough(
  { reply, spoil }: NetworkFault,
  service: Reply,
  request: { readonly credential: string; readonly body: string },
): Reply {
  if (reply !== undefined) return typeof reply === 'function' ? reply(request) : reply;
  return spoil === undefined || service.status >= 300 ? service : { ...service, body: spoil(service.body) };
}
