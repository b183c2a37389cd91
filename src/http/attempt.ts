import isNetworkError from 'is-network-error';
import type { Redactor } from '../base/redact.ts';
import type { WebAbortSignal } from '../base/web-types.ts';
import type { BodyText } from './body-reader.ts';
import { bounded, Interrupted } from './bounded.ts';
import { classifyFailure, type NetworkFailure } from './network-failure.ts';
import type { ResponseHead, ResponseHeaders, Transport, WireRequest } from './transport/transport.ts';

/** A response whose body was read. */
export interface WireResponse extends BodyText {
  readonly status: number;
  readonly headers: ResponseHeaders;
}

/** Why an attempt gave no usable response. */
export class AttemptFailure extends Error {
  readonly reason: Interrupted | NetworkFailure;
  /** What the service had already answered, where only the body is missing. */
  readonly head: ResponseHead | undefined;

  constructor(reason: Interrupted | NetworkFailure, head: ResponseHead | undefined) {
    super('attempt failed');
    this.reason = reason;
    this.head = head;
  }
}

/** How one attempt is sent. */
export interface AttemptOptions {
  readonly transport: Transport;
  readonly redactor: Redactor;
  /** Bound in ms, body included. */
  readonly timeout: number;
  readonly signal: WebAbortSignal | undefined;
}

/**
 * Sends one request and reads its whole response, within the time-out.
 *
 * @throws AttemptFailure when there is no usable response.
 */
export async function sendOnce(request: WireRequest, options: AttemptOptions): Promise<WireResponse> {
  let head: ResponseHead | undefined;
  try {
    return await bounded(options.timeout, options.signal, async (interruption) => {
      head = await options.transport(request, interruption);
      const body = await head.readBody();
      return { status: head.status, headers: head.headers, ...body };
    });
  } catch (error) {
    const interrupted = interruptionIn(error);
    // A refusal says enough by its status and headers, even where its body never ends or is cut short.
    if (interrupted?.reason !== 'aborted' && head !== undefined && !isOk(head)) return withoutBody(head);
    const reason = interrupted ?? classifyFailure(error, isOfNetwork(error), options.redactor);
    throw new AttemptFailure(reason, head);
  }
}

/** The interruption that was thrown. A `fetch` may throw anything, even what throws when it is looked at. */
function interruptionIn(error: unknown): Interrupted | undefined {
  try {
    return error instanceof Interrupted ? error : undefined;
  } catch {
    return undefined;
  }
}

function isOfNetwork(error: unknown): boolean {
  try {
    return isNetworkError(error);
  } catch {
    return false;
  }
}

/** Whether a status says that the service did what it was asked for. */
export function isOk({ status }: Pick<ResponseHead, 'status'>): boolean {
  return status >= 200 && status < 300;
}

function withoutBody({ status, headers }: ResponseHead): WireResponse {
  return { status, headers, text: '', bytes: 0, complete: true, validUtf8: true };
}
