import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import * as z from 'zod/mini';

/** Sends a request to a sandbox: in process, or over HTTP if it listens. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** The parts of a JSON request. */
export interface JsonRequest {
  readonly method?: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly secretKey?: string;
  readonly signal?: AbortSignal;
}

/** Sends by the sandbox's own `fetch`. */
export function inProcess(sandbox: Sandbox): Send {
  return (path, init) => sandbox.fetch(new Request(sandbox.url + path, init));
}

/** Sends over a connection. */
export function overHttp(sandbox: Sandbox): Send {
  return (path, init) => fetch(sandbox.url + path, init);
}

/** A JSON request with the sandbox's secret key. A body makes it a POST. */
export function json(sandbox: Sandbox, request: JsonRequest = {}): RequestInit {
  const { method = request.body === undefined ? 'GET' : 'POST', body, key, signal } = request;
  const headers = new Headers({ authorization: `Bearer ${request.secretKey ?? sandbox.secretKey}` });
  if (key !== undefined) headers.set('idempotency-key', key);
  if (body !== undefined) headers.set('content-type', 'application/json');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    method,
    headers,
    ...(body !== undefined && { body: text }),
    ...(signal !== undefined && { signal }),
  };
}

/** Returns a body as a record. */
export async function read(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json();
  if (typeof body !== 'object' || body === null) throw new Error('expected a JSON object');
  return { ...body };
}

/** The code of an error response. */
export async function codeOf(response: Response): Promise<unknown> {
  const { error } = await read(response);
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** Returns the id in a body. */
export function idOf(body: Readonly<Record<string, unknown>>): string {
  const { id } = body;
  if (typeof id !== 'string') throw new Error('expected an id');
  return id;
}

/** Returns the parameters of a session, with additions. */
export function sessionParams(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    mode: 'payment',
    line_items: [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 2 }],
    success_url: 'https://shop.example/thanks',
    cancel_url: 'https://shop.example/cart',
    ...more,
  };
}

/** Creates a sandbox, and a function that posts to it and returns the body. */
export function start(options?: Parameters<typeof createSandbox>[0]) {
  const sandbox = createSandbox({ startsAt: Date.UTC(2026, 0, 1), ...options });
  const send = inProcess(sandbox);
  const request = (path: string, init?: JsonRequest) => send(path, json(sandbox, init));
  const post = async (path: string, body: unknown) => read(await request(path, { body }));
  return { sandbox, send, request, post };
}

/** Returns a paid payment intent. */
export async function paidIntent(service: ReturnType<typeof start>, amount = 1200) {
  const { id } = await service.post('/v1/payment_intents', { amount, currency: 'usd' });
  return service.sandbox.pay(String(id));
}

const pageSchema = z.looseObject({
  data: z.array(z.looseObject({ id: z.string() })),
  has_more: z.boolean(),
  next_cursor: z.optional(z.string()),
});

/** Returns a page of a list. */
export async function readPage(response: Response) {
  return pageSchema.parse(await response.json());
}

/** Returns the status and the code of an error response. */
export async function refusal(response: Response): Promise<[status: number, code: unknown]> {
  return [response.status, await codeOf(response)];
}

/** The error response to a transition that the state does not allow. */
export const illegalMove = [409, 'INVALID_STATE_TRANSITION'];
