/** Records requests to a sandbox and its responses as examples. */

import { isRecord, parseJson } from '../../../src/base/json.ts';
import { routes } from '../../../src/resources/routes.ts';

export interface Exchange {
  /** The id in the path; `undefined` if there is none. */
  readonly id: string | undefined;
  readonly key: string | undefined;
  /** The parsed JSON, or the fields of the form; `undefined` for an empty body. */
  readonly request: unknown;
  readonly status: number;
  /** The parsed JSON, or the text. */
  readonly response: unknown;
}

interface Matcher {
  readonly operation: string;
  readonly method: string;
  readonly path: RegExp;
}

const matchers: readonly Matcher[] = [
  ...Object.entries(routes).map(([operation, { method, path }]) => ({
    operation,
    method,
    path: new RegExp(`^${path.replace('{id}', '([^/]+)')}$`),
  })),
  { operation: 'transact.submit', method: 'POST', path: /^\/api\/transact\.php$/ },
];

function readBody(text: string, type: string | null): unknown {
  if (text === '') return undefined;
  if (type?.startsWith('application/x-www-form-urlencoded') === true)
    return Object.fromEntries(new URLSearchParams(text));
  return parseJson(text) ?? text;
}

/** Replaces signing secrets, which are random even with a seed. */
function withFixedSecrets(text: string): string {
  return text.replace(/whsec_[0-9a-f]{32}/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
}

function codeOf({ response }: Exchange): string {
  const error = isRecord(response) ? response['error'] : undefined;
  const code = isRecord(error) ? error['code'] : undefined;
  if (typeof code !== 'string')
    throw new Error(`Expected an error response with a code, got ${JSON.stringify(response)}.`);
  return code;
}

/** A request whose body was read. */
interface Sent extends Pick<Request, 'url' | 'method' | 'headers'> {
  readonly body: string;
}

/** The recording: the successes of each operation, and the first error response for each status and code. */
export class Recorder {
  readonly #successes = new Map<string, Exchange[]>();
  readonly #refusals = new Map<number, Map<string, unknown>>();
  readonly #send: (request: Request) => Promise<Response>;

  constructor(send: (request: Request) => Promise<Response>) {
    this.#send = send;
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    // The body of a sale can be read once.
    const { url, method, headers } = request;
    const body = await request.text();
    const init = body === '' ? { method, headers } : { method, headers, body };
    const response = await this.#send(new Request(url, init));
    await this.#record({ url, method, headers, body }, response.clone());
    return response;
  };

  async #record(request: Sent, response: Response): Promise<void> {
    const { pathname } = new URL(request.url);
    const matcher = matchers.find(({ method, path }) => method === request.method && path.test(pathname));
    if (matcher === undefined)
      throw new Error(`Expected the path of a route, got ${request.method} ${pathname}.`);
    const { operation, path } = matcher;
    const exchange = {
      id: path.exec(pathname)?.[1],
      key: request.headers.get('idempotency-key') ?? undefined,
      request: readBody(request.body, request.headers.get('content-type')),
      status: response.status,
      response: readBody(withFixedSecrets(await response.text()), response.headers.get('content-type')),
    };
    if (response.ok) this.#successes.set(operation, [...this.successes(operation), exchange]);
    else this.#addRefusal(exchange);
  }

  #addRefusal(exchange: Exchange): void {
    const { status, response } = exchange;
    const known = this.#refusals.get(status) ?? new Map<string, unknown>();
    const code = codeOf(exchange);
    if (!known.has(code)) known.set(code, response);
    this.#refusals.set(status, known);
  }

  /** Returns the successful exchanges of an operation, in order. */
  successes(operation: string): readonly Exchange[] {
    return this.#successes.get(operation) ?? [];
  }

  /** Returns the error bodies with a status, by code. */
  refusals(status: number): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#refusals.get(status) ?? []);
  }
}
