import { loggedPath } from '../sandbox/api/operation.ts';
import type { LoggedRequest, Sandbox } from '../sandbox/index.ts';

/** A request that `app` makes. */
export interface ReplayStep {
  /** The number of its entry. */
  readonly n: number;
  /** The HTTP method. */
  readonly method: string;
  /** The path, with the ids of this sandbox, and with the query if there is one. */
  readonly path: string;
  /** The recorded idempotency key; `undefined` without one. */
  readonly key: string | undefined;
  /** The operation id in the key; `undefined` without one. */
  readonly operationId: string | undefined;
  /** The body as JSON, with the ids of this sandbox; `undefined` without one. */
  readonly body: unknown;
  /** The fields of a form, with a new `payment_token`; `undefined` for any other request. */
  readonly form: Readonly<Record<string, string>> | undefined;
}

/** The requests that reached the sandbox while one was made. */
interface MadeRequests {
  readonly requests: readonly LoggedRequest[];
  /** What the code threw that made them. */
  readonly error: unknown;
}

/** Makes a request, and watches what reaches the sandbox meanwhile. */
export async function watchRequests(
  sandbox: Sandbox,
  { method }: ReplayStep,
  work: () => unknown,
): Promise<MadeRequests> {
  const requests: LoggedRequest[] = [];
  const stop = sandbox.watch((activity) => {
    if (activity.kind !== 'request') return;
    // The app may read as often as it wants before it writes.
    const isCounted = activity.request.method !== 'GET' || method === 'GET';
    if (isCounted) requests.push(activity.request);
  });
  try {
    await work();
    return { requests, error: undefined };
  } catch (error) {
    return { requests, error };
  } finally {
    stop();
  }
}

/** Returns the sentence for a status that differs from the recorded one. */
export function otherStatus(subject: string, recorded: number, received: number | undefined): string {
  const got = received ?? 'no response';
  return `expected ${subject} to get the recorded status ${recorded}, got ${got}. The replay differs from the recording from here on, or before.`;
}

/** Returns why requests are not the one of a step; `undefined` if they are. */
function flawOf(
  { method, path }: ReplayStep,
  { requests: [request, ...more] }: MadeRequests,
  isOfApp: boolean,
): string | undefined {
  const expected = `expected ${isOfApp ? 'app to send ' : ''}${method} ${path}`;
  if (request === undefined) {
    return `${expected}, got no request.${isOfApp ? ' Send it in app, and await its response.' : ''}`;
  }
  const sent = `${request.method} ${request.path}`;
  const [pathname = ''] = path.split('?', 1);
  if (sent !== `${method} ${loggedPath(pathname)}`) {
    return `${expected}, got ${sent}. Make the request that the step names.`;
  }
  if (more.length === 0) return undefined;
  return `${expected} once, got ${more.length + 1} requests. Turn retries off: each attempt is an entry.`;
}

/**
 * Checks that the request of a step was made, with the recorded result.
 *
 * @throws Error with the difference. It throws what the app threw where the recorded request succeeded.
 */
export function checkRequests(
  step: ReplayStep,
  made: MadeRequests,
  { status, isOfApp }: { readonly status: number | null; readonly isOfApp: boolean },
): void {
  const { requests, error: cause } = made;
  const flaw = flawOf(step, made, isOfApp);
  if (flaw !== undefined) throw new Error(`replay: entry ${step.n}: ${flaw}`, { cause });
  const [request] = requests;
  if (status === null || request === undefined) return;
  const received = request.dropped ? undefined : request.status;
  if (received !== status) {
    const text = otherStatus(`${step.method} ${step.path}`, status, received);
    throw new Error(`replay: entry ${step.n}: ${text}`, { cause });
  }
  // The shop's code may throw the error that the service returned.
  if (cause !== undefined && status < 400) throw cause;
}
