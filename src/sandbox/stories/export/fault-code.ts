import type { RequestFault } from '../../api/faults/fault.ts';
import type { RecordedRequest } from '../entry.ts';
import { call, toCode } from './code-text.ts';
import type { Result, Statement } from './test-script.ts';

/** A fault before its target is narrowed. */
type Fault = { readonly kind: RequestFault['kind'] } & Readonly<Record<string, unknown>>;

/** The effect of each fault on the request. */
const sentences: Readonly<Record<string, string>> = {
  drop_request: 'The request is lost.',
  refuse_connection: 'The connection is refused.',
  drop_during: 'The connection breaks during execution.',
  drop_reply: 'The service executes the request, but the reply is lost.',
  truncate_body: 'The service executes the request, but the reply breaks off.',
  malformed_body: 'The service executes the request, but half of the reply is missing.',
  bad_gateway: 'A proxy replies 502.',
  unavailable: 'The service replies 503.',
  rate_limit: 'The service replies 429.',
  idempotency_error: 'The service rejects the idempotency key.',
};

/** Faults that are injected unchanged. */
const lasting: readonly string[] = Object.keys(sentences);

const isAnotherUnderWay = ({ reply }: RecordedRequest) =>
  reply?.status === 409 && reply.body?.includes('IDEMPOTENCY_KEY_IN_PROGRESS') === true;

/** Statuses of wrong credentials, which the test does not repeat since its keys are correct. */
const ofCredentials: readonly number[] = [401, 403];

function scripted({ reply }: RecordedRequest): Fault {
  return { kind: 'respond', status: reply?.status ?? 500, body: reply?.body ?? '' };
}

/** Fields that select requests. The test's fault hits the next request instead. */
const ofTarget: readonly string[] = ['operation', 'route', 'skip', 'probability', 'times'];

/** Returns the fault of a request, or one with the same effect if time or the caller caused it. */
function faultOf(request: RecordedRequest, wasIgnored: boolean): Fault | undefined {
  const { fault, arrived, reply } = request;
  if (fault !== null && (lasting.includes(fault.kind) || (fault.kind === 'respond' && arrived))) {
    const own = Object.entries(fault).filter(([name]) => !ofTarget.includes(name));
    return { kind: fault.kind, ...Object.fromEntries(own) };
  }
  // A test must not wait for a body that never arrives.
  if (fault?.kind === 'stall_body') return { kind: 'truncate_body' };
  if (!arrived) return { kind: reply === null || wasIgnored ? 'drop_request' : 'drop_reply' };
  if (isAnotherUnderWay(request)) return { kind: 'idempotency_error', code: 'IDEMPOTENCY_KEY_IN_PROGRESS' };
  const isRefused = ofCredentials.includes(reply?.status ?? 0);
  return isRefused || wasIgnored ? scripted(request) : undefined;
}

function sentenceOf(fault: Fault, request: RecordedRequest): string {
  if (fault.kind === 'respond' && request.fault === null) return 'The service refuses it.';
  if (fault['code'] === 'IDEMPOTENCY_KEY_IN_PROGRESS') return 'Another attempt is still under way.';
  const sentence = sentences[fault.kind] ?? `Something in between answers ${String(fault['status'])}.`;
  const [first = '', ...rest] = sentence;
  return fault['committed'] === true
    ? `The service does it, but ${first.toLowerCase()}${rest.join('')}`
    : sentence;
}

/** The fault of a request, and the statement that releases it. */
export interface FaultCode {
  readonly inject: Statement;
  readonly hold: Result | undefined;
}

/**
 * Returns the fault that hits a request, narrowed to it.
 *
 * @param wasIgnored Whether the service did not execute the request, but would in the new sandbox.
 */
export function faultCode(request: RecordedRequest, wasIgnored = false): FaultCode | undefined {
  const fault = faultOf(request, wasIgnored);
  if (fault === undefined) return undefined;
  const { operation, method, path } = request;
  const target = operation === null ? { route: `${method} ${path}` } : { operation };
  const { kind, ...fields } = fault;
  const code = call('sandbox.faults.inject', [toCode({ kind, ...target, ...fields })]);
  const hold = kind === 'drop_during' ? { kind: 'hold', fields: {} } : undefined;
  return { inject: { code, comment: sentenceOf(fault, request), result: hold }, hold };
}
