import type { RequestFault } from '../../api/faults/fault.ts';
import { isFormOperation } from '../../api/operation.ts';
import type { RecordedRequest } from '../entry.ts';
import type { StorySource } from './story-source.ts';

/** A fault, narrowed to one request. */
type Fault = { readonly kind: RequestFault['kind'] } & Readonly<Record<string, unknown>>;

/** Faults that are injected unchanged. The others hold a request, or delay it. */
const lasting: readonly string[] = [
  'drop_request',
  'refuse_connection',
  'drop_during',
  'drop_reply',
  'truncate_body',
  'malformed_body',
  'bad_gateway',
  'unavailable',
  'rate_limit',
  'idempotency_error',
];

/** Fields that select requests. The replayed fault hits the next request instead. */
const ofTarget: readonly string[] = ['operation', 'route', 'skip', 'probability', 'times', 'ms'];

const isAnotherUnderWay = ({ reply }: RecordedRequest) =>
  reply?.status === 409 && reply.body?.includes('IDEMPOTENCY_KEY_IN_PROGRESS') === true;

/** Statuses of wrong credentials, which a replay does not repeat since its keys are correct. */
const ofCredentials: readonly number[] = [401, 403];

/** Types of forms that take a card. */
export const payingTypes: readonly string[] = ['sale', 'auth', 'credit', 'validate'];

/** Whether a request changed an object. */
function hasEffect(number: number, { recorded }: StorySource): boolean {
  return recorded.some((entry) => entry.kind === 'change' && entry.cause === number);
}

/** Whether a form made no transaction, for example since its key was wrong or its token had expired. */
function isRefusedForm(
  { number, operation, request, reply, fault }: RecordedRequest,
  source: StorySource,
): boolean {
  if (!isFormOperation(operation) || reply === null || fault?.kind === 'respond') return false;
  const type = new URLSearchParams(request.body ?? '').get('type') ?? '';
  return payingTypes.includes(type) && !hasEffect(number, source);
}

function scripted({ reply }: RecordedRequest): Fault {
  return { kind: 'respond', status: reply?.status ?? 500, body: reply?.body ?? '' };
}

/** Returns the fault of a request, or one with the same effect if time or the caller caused it. */
function faultOf(request: RecordedRequest, source: StorySource): Fault | undefined {
  const { fault, arrived, reply } = request;
  const isIgnored = isRefusedForm(request, source);
  // Its work was never released.
  if (fault?.kind === 'drop_during' && !hasEffect(request.number, source)) return { kind: 'drop_request' };
  if (fault !== null && (lasting.includes(fault.kind) || (fault.kind === 'respond' && arrived))) {
    const own = Object.entries(fault).filter(([name]) => !ofTarget.includes(name));
    return { kind: fault.kind, ...Object.fromEntries(own) };
  }
  // A test must not wait for a body that never arrives.
  if (fault?.kind === 'stall_body') return { kind: 'truncate_body' };
  if (!arrived) return { kind: reply === null || isIgnored ? 'drop_request' : 'drop_reply' };
  if (isAnotherUnderWay(request)) return { kind: 'idempotency_error', code: 'IDEMPOTENCY_KEY_IN_PROGRESS' };
  return isIgnored || ofCredentials.includes(reply?.status ?? 0) ? scripted(request) : undefined;
}

/** Returns the fault to inject before a request; `undefined` for none. */
export function requestFault(request: RecordedRequest, source: StorySource): Fault | undefined {
  const fault = faultOf(request, source);
  if (fault === undefined) return undefined;
  const { operation, method, path } = request;
  const { kind, ...fields } = fault;
  const target = operation === null ? { route: `${method} ${path}` } : { operation };
  return { kind, ...target, ...fields };
}
