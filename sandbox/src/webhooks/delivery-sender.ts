import { untilAborted } from '../base/abort.ts';
import { readRetryAfter } from '../base/retry-after.ts';
import { errorCode, messageOf } from '../base/thrown.ts';
import type { WebRequest, WebResponse } from '../base/web-types.ts';
import type { VirtualClock } from '../store/clock.ts';

/** The host suffix of functions. Its top-level domain is reserved, so no network resolves it. */
const functionHost = '.handler.invalid';

/** Returns the placeholder URL of a function. */
export function functionUrl(name: string): string {
  return `http://${name}${functionHost}/`;
}

export function isFunctionUrl(url: string): boolean {
  return new URL(url).hostname.endsWith(functionHost);
}

const maxLength = 1_000;

/** Returns the first 1,000 characters of a response, without waiting for the rest. */
async function readStart(response: Response): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < maxLength) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text.slice(0, maxLength);
}

/** Handles deliveries in this process: for example `receiver.fetch` of `payments-client/webhooks`. */
export type WebhookTarget = (request: WebRequest) => WebResponse | Promise<WebResponse>;

export interface Outcome {
  readonly status: number | null;
  readonly error: string | null;
  readonly responseText: string;
  /** The value of `Retry-After`, in seconds; `undefined` if it is missing or invalid. */
  readonly retryAfter: number | undefined;
}

interface SenderSettings {
  /** The timeout, in milliseconds of real time. */
  readonly timeout: number;
  /** The time in signatures: that of the sandbox's clock, or real time. */
  readonly signedAt: 'clock' | 'present';
  readonly clock: VirtualClock;
}

function failure(error: unknown): Outcome {
  return { status: null, error: reasonOf(error), responseText: '', retryAfter: undefined };
}

/**
 * Returns why an attempt failed. A failed `fetch` has the reason in its cause, and a user's function may throw a
 * string.
 */
export function reasonOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return messageOf(error);
  return `${messageOf(error)}: ${cause.message || String(errorCode(cause))}`;
}

/** Sends deliveries over the network or within this process. It stores no deliveries. */
export class DeliverySender {
  readonly #timeout: number;
  readonly #signedAt: SenderSettings['signedAt'];
  readonly #clock: VirtualClock;
  /** Handlers by their placeholder URL. Functions belong to this process, so the store cannot hold them. */
  readonly #handlers = new Map<string, WebhookTarget>();
  #closing = new AbortController();

  constructor({ timeout, signedAt, clock }: SenderSettings) {
    this.#timeout = timeout;
    this.#signedAt = signedAt;
    this.#clock = clock;
  }

  /** Returns the time for the signature of a delivery, in milliseconds since 1970. */
  signatureTime(): number {
    return this.#signedAt === 'clock' ? this.#clock.now() : Date.now();
  }

  /** Registers a function for a URL. */
  mount(url: string, handler: WebhookTarget): void {
    this.#handlers.set(url, handler);
  }

  /** Copies the functions of another sender. */
  mountAll(other: DeliverySender): void {
    for (const [url, handler] of other.#handlers) this.mount(url, handler);
  }

  /** Sends a request. It never throws. */
  async send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Outcome> {
    const slow = new AbortController();
    const timer = setTimeout(
      () => slow.abort(new Error(`The endpoint did not respond within ${this.#timeout} ms.`)),
      this.#timeout,
    );
    const signal = AbortSignal.any([slow.signal, this.#closing.signal]);
    try {
      return await untilAborted(() => this.#exchange(url, headers, body, signal), signal);
    } catch (error) {
      return failure(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Aborts all pending attempts; they count as failed. */
  interrupt(): void {
    this.#closing.abort(new Error('The sandbox was closed.'));
    this.#closing = new AbortController();
  }

  async #exchange(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<Outcome> {
    // Redirects are not followed, since their target was never registered.
    const request = new Request(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    const response = await this.#answer(request);
    const responseText = await readStart(response);
    const retryAfter = readRetryAfter(response.headers, () => this.signatureTime());
    return { status: response.status, error: null, responseText, retryAfter };
  }

  async #answer(request: Request): Promise<Response> {
    const handler = this.#handlers.get(request.url);
    if (handler !== undefined) return handler(request);
    if (isFunctionUrl(request.url)) {
      throw new Error(
        'The function of this endpoint is not registered in this process. Delete the endpoint, and register the function again.',
      );
    }
    return fetch(request);
  }
}
