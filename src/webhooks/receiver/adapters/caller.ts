import { describeValue } from '../../../base/issue.ts';
import { isRecord } from '../../../base/json.ts';
import { isRequest, toResponse } from './fetch.ts';
import { isNodeResponse, type NodeResponse } from './node.ts';

/** Code that called an adapter with the arguments of another framework. */
export interface Caller {
  /** The arguments that it passed. */
  readonly gave: string;
  /** How to mount the receiver in this framework. */
  readonly advice: string;
  /** Fails the way the framework expects: answers the request with 500. Absent where only a throw is possible. */
  fail?(error: Error): unknown;
}

/** The part of Fastify's reply that answers a request. */
interface FastifyAnswer {
  readonly sent?: unknown;
  code(status: number): unknown;
  headers(headers: Record<string, string>): unknown;
  send(body: string): unknown;
}

type Method = (...values: never[]) => unknown;

function hasMethods<Name extends string>(value: unknown, ...names: Name[]): value is Record<Name, Method> {
  return isRecord(value) && names.every((name) => typeof value[name] === 'function');
}

function isFastifyReply(value: unknown): value is FastifyAnswer {
  return hasMethods(value, 'code', 'headers', 'send') && isNodeResponse(Reflect.get(value, 'raw'));
}

/** Matches `context`, or `context.req` alone. */
function isHono(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const request = value['req'] ?? value;
  return isRecord(request) && isRequest(request['raw']);
}

const json = { 'content-type': 'application/json' };

const bodyOf = ({ message }: Error) => JSON.stringify({ outcome: 'failed', error: message });

const respond = (error: Error) => toResponse({ status: 500, headers: json, body: bodyOf(error) });

const advice = {
  node: "Express: app.post('/webhooks', receiver.node). node:http: http.createServer(receiver.node).",
  fastify:
    'Fastify: reply.hijack(), then receiver.node(request.raw, reply.raw), in a plugin without parsers of bodies.',
  hono: "Hono: app.post('/webhooks', (context) => receiver.fetch(context.req.raw)).",
  web: 'Next.js: export const POST = receiver.fetch. Bun, Deno and Workers: { fetch: receiver.fetch }.',
  other: 'Elsewhere: await receiver.handle({ body, headers }), and send the status and body of its reply.',
};

function ofNode(response: NodeResponse): Caller {
  return {
    gave: 'a Node response',
    advice: advice.node,
    fail(error) {
      if (response.headersSent === true) return;
      response.writeHead(500, json);
      response.end(bodyOf(error));
    },
  };
}

function ofFastify(reply: FastifyAnswer): Caller {
  return {
    gave: 'a reply of Fastify',
    advice: advice.fastify,
    fail(error) {
      if (reply.sent === true) return;
      reply.code(500);
      reply.headers(json);
      reply.send(bodyOf(error));
    },
  };
}

/** Returns a caller that has no request to answer. */
function withoutRequest([first, second]: readonly unknown[]): Caller | undefined {
  if (hasMethods(first, 'register', 'addContentTypeParser')) {
    // Fastify does not catch a synchronous throw of a plugin.
    const fail = (error: Error) => Promise.reject(error);
    return { gave: 'an instance of Fastify', advice: advice.fastify, fail };
  }
  // API Gateway treats a result without `statusCode` as a success.
  const isLambda = isRecord(second) && 'awsRequestId' in second;
  return isLambda ? { gave: 'an event of AWS Lambda', advice: advice.other } : undefined;
}

function inWords(first: unknown): string {
  const isNodeRequest = isRecord(first) && Symbol.asyncIterator in first && 'headers' in first;
  return isNodeRequest ? 'a Node request alone' : describeValue(first, '', true);
}

/**
 * Recognizes the framework that made a call by its arguments.
 *
 * @returns `undefined` for arguments of no known framework.
 */
export function frameworkOf(given: readonly unknown[]): Caller | undefined {
  const reply = given.find(isFastifyReply);
  if (reply !== undefined) return ofFastify(reply);
  const response = given.find(isNodeResponse);
  if (response !== undefined) return ofNode(response);
  const [first] = given;
  if (isHono(first)) return { gave: 'a Context of Hono', advice: advice.hono, fail: respond };
  if (isRequest(first)) return { gave: 'a Request', advice: advice.web, fail: respond };
  return withoutRequest(given);
}

/** Describes the caller as far as its arguments reveal it. */
export function callerOf(given: readonly unknown[]): Caller {
  const all = Object.values(advice).join(' ');
  return frameworkOf(given) ?? { gave: inWords(given[0]), advice: all };
}
