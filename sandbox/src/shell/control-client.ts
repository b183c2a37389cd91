import { environmentVariable } from '../base/environment.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { errorCode } from '../base/thrown.ts';
import { isLoopbackHost, isWebAddress } from '../base/web-address.ts';
import { describeValue } from '../sdk.ts';
import { keysOfRunning } from './key-file.ts';
import { option, readAddress } from './options.ts';
import { Failure, UsageProblem } from './problems.ts';
import { environmentSecretKey, readSecretKey } from './sandbox-keys.ts';

/** The port of `sandbox`, and of the commands that connect to it. */
export const defaultPort = 4242;

/** The URL and the key of a running sandbox. */
export interface ControlOptions {
  readonly url?: string;
  readonly secretKey?: string;
}

const urlHelp = `The URL of the sandbox. Default: PAYMENTS_BASE_URL, otherwise http://127.0.0.1:${defaultPort}.`;
const secretKeyHelp =
  'Its secret key. Default: that of your sandbox at the URL, otherwise PAYMENTS_SECRET_KEY if it is a test key.';

/** The options of every command that connects to a running sandbox. */
export const controlOptions = [
  option('--url <address>', urlHelp, readAddress),
  option('--secret-key <key>', secretKeyHelp, readSecretKey),
];

/** A client of a sandbox that runs in another process. */
export interface ControlClient {
  /** Sends a GET request and returns the body. */
  get(path: string): Promise<unknown>;
  /** Sends a POST request and returns the body. */
  post(path: string, body: object): Promise<unknown>;
  /** Sends a DELETE request and returns the body. */
  delete(path: string): Promise<unknown>;
  /** Returns the response as a stream. */
  open(path: string, init: { readonly accept: string; readonly body?: object }): Promise<Response>;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (errorCode(cause) === 'ECONNREFUSED') return 'nothing listens there';
  return cause instanceof Error ? cause.message : String(error);
}

/** Returns the failure that an error response describes. */
async function failureOf(response: Response, base: string): Promise<Failure> {
  const body = parseJson(await response.text());
  const error = isRecord(body) ? body['error'] : undefined;
  if (!isRecord(error) || typeof error['message'] !== 'string')
    return new Failure('NO_SANDBOX', `expected a sandbox at ${base}, got the status ${response.status}.`);
  const hint = response.status === 401 ? ' Pass that one as --secret-key.' : '';
  const { code, message } = error;
  return new Failure(
    typeof code === 'string' ? code : 'REFUSED',
    `the sandbox at ${base} refused: ${message}${hint}`,
  );
}

async function send(base: string, path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(new URL(`_sandbox/${path}`, base), init).catch((error: unknown) => {
    const hint = "Start one with 'payments-client sandbox', or pass its URL with --url.";
    throw new Failure('NO_SANDBOX', `no sandbox at ${base}: ${reasonOf(error)}. ${hint}`);
  });
  if (response.ok) return response;
  throw await failureOf(response, base);
}

/** Returns the key to send: from the command line, from a sandbox on this machine, or from the environment. */
function keyFor({ secretKey }: ControlOptions, base: string): string | undefined {
  const running = isLoopbackHost(new URL(base).hostname) ? keysOfRunning(base)?.secretKey : undefined;
  return secretKey ?? running ?? environmentSecretKey();
}

/** Returns a client of the sandbox that the options or the environment select. */
export function controlClient(given: ControlOptions): ControlClient {
  const named = given.url ?? environmentVariable('PAYMENTS_BASE_URL') ?? `http://127.0.0.1:${defaultPort}`;
  if (!isWebAddress(named)) {
    // It may contain a password.
    const received = describeValue(named, 'PAYMENTS_BASE_URL');
    throw new UsageProblem(
      `expected PAYMENTS_BASE_URL to be an http:// or https:// address, got ${received}.`,
    );
  }
  const base = new URL('/', named).href;
  const key = keyFor(given, base);
  const request = (path: string, method: string, accept: string, body?: object) => {
    const headers = {
      accept,
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    return send(base, path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  };
  const exchange = async (path: string, method: string, body?: object): Promise<unknown> => {
    const response = await request(path, method, 'application/json', body);
    const answer = parseJson(await response.text());
    // Development servers answer every path with a page.
    if (answer === undefined)
      throw new Failure('NO_SANDBOX', `expected a sandbox at ${base}, got other text.`);
    return answer;
  };
  return {
    get: (path) => exchange(path, 'GET'),
    post: (path, body) => exchange(path, 'POST', body),
    delete: (path) => exchange(path, 'DELETE'),
    open: (path, { accept, body }) => request(path, body === undefined ? 'GET' : 'POST', accept, body),
  };
}
