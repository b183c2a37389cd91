import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { customer, paymentIntent } from '../../support/fixtures.ts';

/** A request selects its response with this header. */
export const behaviour = 'x-soak';

/** The possible responses. */
export type Behaviour =
  | 'answer'
  | 'refuse'
  | 'fail_once'
  | 'busy'
  | 'first_page'
  | 'never'
  | 'break'
  | 'half';

const pages = 4;
const pageSize = 50;
const sale =
  'response=1&responsetext=SUCCESS&authcode=1&transactionid=316&avsresponse=Y&cvvresponse=M&orderid=';

/** A service that remembers only which keys it has failed once, and only briefly. */
export function soakService(): RequestListener {
  const failedOnce = new Set<string>();

  function behave(request: IncomingMessage, response: ServerResponse): void {
    const what = request.headers[behaviour];
    if (what === 'never' || (what === 'first_page' && request.url?.includes('starting_after'))) return;
    if (what === 'break') request.socket.resetAndDestroy();
    else if (what === 'half') response.writeHead(200, { 'content-length': '1000' }).write('{"id":');
    else if (what === 'refuse') refuse(response);
    else if (what === 'busy') response.writeHead(503, { 'retry-after': '60' }).end();
    else if (what === 'fail_once' && isFirst(String(request.headers['idempotency-key']))) fail(response);
    else answer(request, response);
  }

  /** Returns whether a key arrives for the first, third, fifth, … time. */
  function isFirst(key: string): boolean {
    if (failedOnce.delete(key)) return false;
    failedOnce.add(key);
    return true;
  }

  return (request, response) => {
    request.on('end', () => behave(request, response)).resume();
  };
}

function refuse(response: ServerResponse): void {
  response.writeHead(402, { 'content-type': 'application/json' });
  response.end('{"error":{"code":"card_declined","message":"no"}}');
}

function fail(response: ServerResponse): void {
  response.writeHead(503, { 'retry-after': '0' }).end();
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('content-type', 'application/json');
  response.end(bodyFor(request));
}

function bodyFor({ method, url = '' }: IncomingMessage): string {
  const { pathname, searchParams } = new URL(url, 'http://soak.test');
  if (pathname === '/api/transact.php') return sale;
  if (pathname === '/v1/payment_intents') return JSON.stringify(paymentIntent);
  if (method === 'GET' && pathname === '/v1/customers') return JSON.stringify(pageAfter(searchParams));
  return JSON.stringify(customer);
}

function pageAfter(search: URLSearchParams) {
  const page = Number(search.get('starting_after')?.replace('cus_', '') ?? 0) / pageSize;
  const data = Array.from({ length: pageSize }, (_, index) => ({
    ...customer,
    id: `cus_${page * pageSize + index + 1}`,
  }));
  const has_more = page + 1 < pages;
  return { data, has_more, next_cursor: has_more ? data.at(-1)?.id : null };
}
