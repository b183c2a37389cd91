/** Every parameter of the package, and a judge of what a call with any value in it has sent. */

import {
  ConfigurationError,
  InvalidRequestError,
  PaymentsClient,
  type PaymentsClientOptions,
  ResponseValidationError,
  Transact,
} from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { afterAll, beforeAll, expect } from 'vitest';
import { refundParams, saleParams } from '../support/fixtures.ts';
import { startAnew } from '../support/new-process.ts';
import { type RunningServer, serve } from '../support/serve.ts';
import { ownError } from './dimensions.ts';
import { controlCharacter, secretKey, securityKey } from './service.ts';
import { words } from './words.ts';

/** A received request. */
interface Arrival {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

let arrivals: Arrival[] = [];
let server: RunningServer | undefined;

/** A response that every method accepts. */
const answer =
  '{"id":"rf_1","object":"refund","status":"succeeded","data":[],"has_more":false,"response":"1"}';

const paired = (flat: readonly string[]) =>
  flat.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), flat[index + 1] ?? ''] as const] : [],
  );

/** Starts the service that the calls of a file reach over `node:http`. */
export function useRecordingService(): void {
  beforeAll(async () => {
    server = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString('utf8');
      arrivals.push({ url: request.url ?? '', headers: paired(request.rawHeaders), body });
      response.end(answer);
    });
  });
  afterAll(() => server?.close());
}

/** What the `fetch` of a program gets is what a runtime sends. */
async function recordingFetch(request: Request): Promise<Response> {
  const { origin } = new URL(request.url);
  const url = request.url.slice(origin.length);
  arrivals.push({ url, headers: [...request.headers], body: await request.text() });
  return new Response(answer);
}

/** A base URL with a path, which no request may leave. */
const prefix = '/shop/gateway';

export type Options = Readonly<Record<string, unknown>>;

/** Options for both transports. */
export const transports: readonly Options[] = [{}, { fetch: recordingFetch }];

interface Send {
  /** Calls with the options of a client. */
  readonly call: (more: Options) => Promise<unknown>;
  /** Whether the call writes, so that its refusal says that its operation was not executed. */
  readonly isWrite: boolean;
}

/** A parameter that takes a value. */
export interface Parameter {
  readonly send: (value: unknown) => Send;
  /** Reads a sent text back from the request. */
  readonly readBack?: (arrival: Arrival) => string | undefined;
  /** The expected form of a text that the transport changes. */
  readonly becomes?: (text: string) => string;
}

/** Creates a client with untyped options. */
function clientWith(options: Options): PaymentsClient {
  const baseUrl = `${server?.url}${prefix}/`;
  const untyped: PaymentsClientOptions = { baseUrl, secretKey, securityKey, maxRetries: 0, ...options };
  return new PaymentsClient(untyped);
}

/** Calls a method with untyped arguments. */
async function apply(holder: object, name: string, args: readonly unknown[]): Promise<unknown> {
  const method: unknown = Reflect.get(holder, name);
  if (typeof method !== 'function') throw new Error(`There is no method ${name}.`);
  return Reflect.apply(method, holder, args);
}

const calling =
  (name: string, holderIn: (payments: PaymentsClient) => object, isWrite: boolean) =>
  (...args: readonly unknown[]): Send => ({
    call: async (more) => apply(holderIn(clientWith({ validation: 'off', ...more })), name, args),
    isWrite,
  });

/** Whether a program describes a request that writes. */
function describesWrite(description: unknown): boolean {
  try {
    return ['POST', 'PUT', 'PATCH', 'DELETE'].includes(Object(description).method);
  } catch {
    return false;
  }
}

const key = { operationId: 'order-1' };
const request = (description: unknown) =>
  calling('request', (payments) => payments, describesWrite(description))(description, key);
const get = (fields: object) => request({ method: 'GET', path: '/v1/x', ...fields });
const retrieve = calling('retrieve', ({ refunds }) => refunds, false);
const refund = calling('create', ({ refunds }) => refunds, true);
const waitFor = calling('waitFor', ({ refunds }) => refunds, false);
const customer = calling('create', ({ customers }) => customers, true);
const list = calling('list', ({ products }) => products, false);
const sale = calling('sale', ({ transact }) => transact, true);
const retrieval = retrieve('rf_1');

/** Calls with further options of the client. */
const having = (options: Options, { call, isWrite }: Send): Send => ({
  call: (more) => call({ ...more, ...options }),
  isWrite,
});
const strictly = (send: Send) => having({ validation: 'throw' }, send);

const construct =
  (type: new (...args: never[]) => unknown) =>
  (options: unknown): Send => ({ call: async () => Reflect.construct(type, [options]), isWrite: false });

/** The first page is requested before the maximum is validated. */
const collect = (options: unknown): Send => ({
  call: async (more) => {
    const products = clientWith({ ...more, validation: 'off' }).products.list();
    await products;
    arrivals = [];
    return apply(products, 'toArray', [options]);
  },
  isWrite: false,
});

/** Returns an object with a field of this name. */
const named = (name: unknown, content: unknown): Options =>
  typeof name === 'string' ? { [name]: content } : {};

const urlOf = ({ url }: Arrival) => new URL(url, 'http://localhost');
const headerOf = (name: string) => (arrival: Arrival) =>
  arrival.headers.find(([given]) => given === name)?.[1];
const bearer = (arrival: Arrival) => headerOf('authorization')(arrival)?.slice('Bearer '.length);
const lastSegment = ({ url }: Arrival) => decodeURIComponent(url.slice(url.lastIndexOf('/') + 1));
const queryField = (name: string) => (arrival: Arrival) => urlOf(arrival).searchParams.get(name) ?? undefined;
const queryName = (arrival: Arrival) => [...urlOf(arrival).searchParams.keys()][0];
const formField = (name: string) => (arrival: Arrival) =>
  new URLSearchParams(arrival.body).get(name) ?? undefined;
const pathname = (arrival: Arrival) => urlOf(arrival).pathname;

function bodyField(...path: readonly string[]) {
  return ({ body }: Arrival): string | undefined => {
    let value: unknown = JSON.parse(body);
    for (const part of path) value = Object(value)[part];
    return typeof value === 'string' ? value : undefined;
  };
}

/** A header has no spaces at its ends. */
const withoutBlanks = (text: string) => text.replace(/^[ \t]+|[ \t]+$/g, '');
/** In a path, a URL escapes a few characters without changing their meaning. */
const escapedPath = (path: string) => new URL(prefix + path, 'http://localhost').pathname;

type Row = readonly [
  name: string,
  send: Parameter['send'],
  readBack?: Parameter['readBack'],
  becomes?: Parameter['becomes'],
];

/** Every parameter, and where the request has a text of it. */
const rows: readonly Row[] = [
  ['an id', (id) => retrieve(id), lastSegment],
  ['a validated id', (id) => strictly(retrieve(id)), lastSegment],
  ['a cursor', (starting_after) => list({ starting_after }), queryField('starting_after')],
  ['a query value', (a) => get({ query: { a } }), queryField('a')],
  ['a query name', (name) => get({ query: named(name, 'a') }), queryName],
  ['a path', (path) => get({ path }), pathname, escapedPath],
  ['a method', (method) => get({ method })],
  [
    'a client header',
    (text) => having({ headers: { 'x-order': text } }, retrieval),
    headerOf('x-order'),
    withoutBlanks,
  ],
  [
    'a header of a call',
    (text) => retrieve('rf_1', { headers: { 'x-order': text } }),
    headerOf('x-order'),
    withoutBlanks,
  ],
  ['a header name', (name) => having({ headers: named(name, 'x') }, retrieval)],
  ['an operation id', (operationId) => refund(refundParams, { operationId })],
  [
    'an idempotency key',
    (idempotencyKey) => refund(refundParams, { idempotencyKey }),
    headerOf('idempotency-key'),
  ],
  ['a parameter', (reason) => refund({ ...refundParams, reason }, key), bodyField('reason')],
  ['metadata', (order) => strictly(customer({ metadata: { order } }, key)), bodyField('metadata', 'order')],
  ['a metadata name', (name) => strictly(customer({ metadata: named(name, 'x') }, key))],
  ['the secret key', (secret) => having({ secretKey: secret }, retrieval), bearer],
  ['the result of a secret key function', (secret) => having({ secretKey: () => secret }, retrieval), bearer],
  ['a route', (route) => having({ routes: { 'refunds.retrieve': route } }, retrieval)],
  ['a route name', (name) => having({ routes: named(name, 'GET /v1/refunds/{id}') }, retrieval)],
  ['the items field', (itemsField) => having({ itemsField }, retrieval)],
  ['a form field', (orderid) => sale({ ...saleParams, orderid }), formField('orderid')],
  ['a form field name', (name) => sale({ ...saleParams, ...named(name, 'x') })],
  [
    'the security key',
    (secret) => having({ securityKey: secret }, sale(saleParams)),
    formField('security_key'),
  ],
  ['the options of the client', construct(PaymentsClient)],
  ['the options of Transact', construct(Transact)],
  ['the options of Webhooks', construct(Webhooks)],
  ['the secrets of Webhooks', (secrets) => construct(Webhooks)({ secrets })],
  ['options of the client', (some) => having({ timeout: some, hooks: some, logger: some }, retrieval)],
  ['the headers of the client', (headers) => having({ headers }, retrieval)],
  ['the routes', (routes) => having({ routes }, retrieval)],
  ['the options of a call', (options) => retrieve('rf_1', options)],
  ['the headers of a call', (headers) => retrieve('rf_1', { headers })],
  ['the signal of a call', (signal) => retrieve('rf_1', { signal })],
  ['the options of a call that moves money', (options) => refund(refundParams, options)],
  ['the parameters of a call', (params) => refund(params, key)],
  ['the parameters of a validated call', (params) => strictly(refund(params, key))],
  ['the parameters of a list', (params) => list(params)],
  ['a raw request', (description) => request(description)],
  ['the body of a raw request', (body) => request({ method: 'POST', path: '/v1/x', body })],
  ['the query of a raw request', (query) => get({ query })],
  ['the fields of a form', (fields) => sale(fields)],
  ['the maximum of toArray', collect],
  ['the options of waitFor', (options) => waitFor('rf_1', options)],
];

export const parameters = rows.map(([name, send, readBack, becomes], index) => {
  const parameter: Parameter = { send, ...(readBack && { readBack }), ...(becomes && { becomes }) };
  return { name, parameter, index };
});

/** The headers that may be sent in addition to the requested ones. */
const ownHeaders = new Set(
  words(
    `accept accept-encoding accept-language authorization connection content-length content-type host
    idempotency-key sec-fetch-mode transfer-encoding user-agent`,
  ),
);

/** Returns the header names that a value may set, at any depth. */
function headerNames(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null) return [String(value).toLowerCase()];
  if (depth > 5) return [];
  return Reflect.ownKeys(value).flatMap((name) => [
    String(name).toLowerCase(),
    ...headerNames(Reflect.get(value, name), depth + 1),
  ]);
}

/** Checks that a request went to the right URL, without an unrequested header. */
function expectSafe({ url, headers }: Arrival, value: unknown): void {
  const { pathname, origin } = new URL(url, 'http://localhost');
  expect(pathname.startsWith(`${prefix}/`), url).toBe(true);
  expect(origin).toBe('http://localhost');
  expect(url).toMatch(/^[!-~]+$/);
  const foreign = headers.filter(([name]) => !ownHeaders.has(name) && name !== 'x-order');
  const asked = foreign.length === 0 ? [] : headerNames(value);
  expect(foreign.filter(([name]) => !asked.includes(name))).toEqual([]);
  for (const [, content] of headers) expect(content).not.toMatch(/[\r\n\0]/);
}

/** Checks that an error is a refusal before sending, and contains no secret. A wrong option of a client belongs to no call. */
function expectRefusal(error: unknown, isWrite: boolean): void {
  expect(arrivals).toEqual([]);
  if (error === ownError) return;
  if (!(error instanceof ConfigurationError || error instanceof InvalidRequestError)) throw error;
  const isOperation = isWrite && error instanceof InvalidRequestError;
  expect(error.outcome).toBe(isOperation ? 'not_executed' : 'not_an_operation');
  expect(error.issues.length).toBeGreaterThan(0);
  expect(error.message).not.toMatch(controlCharacter);
  for (const secret of [secretKey, securityKey]) expect(error.message).not.toContain(secret);
}

/** Calls with a value in a parameter. What is sent must be what was passed, in one request; else the value is refused. */
export async function judgeCall(place: Parameter, value: unknown, more: Options): Promise<string> {
  const { send, readBack, becomes = String } = place;
  startAnew();
  arrivals = [];
  const { call, isWrite } = send(value);
  try {
    await call(more);
  } catch (error) {
    // The response does not match every kind of object, but the request was sent.
    if (!(error instanceof ResponseValidationError)) {
      expectRefusal(error, isWrite);
      return 'refused';
    }
  }
  const [arrival] = arrivals;
  if (arrival === undefined) return 'nothing to send';
  expect(arrivals).toHaveLength(1);
  expectSafe(arrival, value);
  if (readBack !== undefined && typeof value === 'string') expect(readBack(arrival)).toBe(becomes(value));
  return 'sent';
}

/** Calls with a base URL. A request goes to its own host, below its own path. */
export async function judgeBaseUrl(baseUrl: string): Promise<string> {
  const urls: string[] = [];
  const fetch = async ({ url }: Request) => {
    urls.push(url);
    return new Response(answer);
  };
  arrivals = [];
  try {
    await retrieval.call({ baseUrl, fetch });
  } catch (error) {
    expectRefusal(error, retrieval.isWrite);
    expect(urls).toEqual([]);
    return 'refused';
  }
  const base = new URL(baseUrl);
  expect(urls).toEqual([`${base.origin}${base.pathname.replace(/\/+$/, '')}/v1/refunds/rf_1`]);
  return 'sent';
}

/** Sends fields of a form, and returns those that arrived. */
export async function sendForm(fields: unknown, more: Options): Promise<unknown> {
  arrivals = [];
  await sale(fields).call(more);
  return Object.fromEntries(new URLSearchParams(arrivals[0]?.body));
}

/** Sends fields of a JSON body, and returns those that arrived. */
export async function sendBody(fields: unknown, more: Options): Promise<unknown> {
  arrivals = [];
  await refund(fields, key).call(more);
  return JSON.parse(arrivals[0]?.body ?? 'null');
}
