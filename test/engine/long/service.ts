import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { customer, paymentIntent } from '../../support/fixtures.ts';

/** A request selects its response with this header. */
export const behaviour = 'x-soak';

const pages = 4;
const pageSize = 50;
const sale =
  'response=1&responsetext=SUCCESS&authcode=1&transactionid=316&avsresponse=Y&cvvresponse=M&orderid=';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

const ignore: Respond = () => {};
const busyFor = (seconds: number): Respond => {
  return (_, response) => response.writeHead(503, { 'retry-after': `${seconds}` }).end();
};
const answer: Respond = (request, response) => {
  response.setHeader('content-type', 'application/json').end(bodyFor(request));
};

const responses = {
  answer,
  never: ignore,
  busy: busyFor(60),
  failOnce: busyFor(0),
  sick: (_, response) => response.writeHead(503).end(),
  refuse: (_, response) => {
    response.writeHead(402, { 'content-type': 'application/json' });
    response.end('{"error":{"code":"card_declined","message":"no"}}');
  },
  firstPage: (request, response) =>
    (request.url?.includes('starting_after') ? ignore : answer)(request, response),
  break: (request) => void request.socket.resetAndDestroy(),
  half: (_, response) => void response.writeHead(200, { 'content-length': '1000' }).write('{"id":'),
} satisfies Record<string, Respond>;

/** The possible responses. */
export type Behaviour = keyof typeof responses;

const isBehaviour = (name: unknown): name is Behaviour => Object.hasOwn(responses, String(name));

/** A service that remembers only which keys it has failed once, and only briefly. */
export function soakService(): RequestListener {
  const failedOnce = new Set<string>();
  return (request, response) => {
    const { [behaviour]: asked, 'idempotency-key': key } = request.headers;
    let name: Behaviour = isBehaviour(asked) ? asked : 'answer';
    // A key fails when it arrives for the first, third, fifth, … time.
    if (name === 'failOnce' && failedOnce.delete(String(key))) name = 'answer';
    else if (name === 'failOnce') failedOnce.add(String(key));
    request.on('end', () => responses[name](request, response)).resume();
  };
}

function bodyFor({ method, url = '' }: IncomingMessage): string {
  const { pathname, searchParams } = new URL(url, 'http://soak.test');
  if (pathname === '/api/transact.php') return sale;
  if (pathname === '/v1/payment_intents') return JSON.stringify(paymentIntent);
  if (method === 'GET' && pathname === '/v1/customers') return JSON.stringify(pageAfter(searchParams));
  return JSON.stringify(customer);
}

function pageAfter(search: URLSearchParams) {
  const start = Number(search.get('starting_after')?.replace('cus_', '') ?? 0);
  const data = Array.from({ length: pageSize }, (_, index) => ({
    ...customer,
    id: `cus_${start + index + 1}`,
  }));
  const has_more = start + pageSize < pages * pageSize;
  return { data, has_more, next_cursor: has_more ? data.at(-1)?.id : null };
}
