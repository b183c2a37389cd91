import { describeValue } from '../base/describe.ts';
import { errorCode } from '../base/error-code.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { isLoopbackHost } from '../base/loopback.ts';
import { environmentVariable } from '../base/runtime.ts';
import { isWebAddress } from '../base/web-address.ts';
import { keyOfRunning } from './key-file.ts';
import { option, readAddress } from './options.ts';
import { Failure, UsageProblem } from './problems.ts';
import { environmentSecretKey, readSecretKey } from './sandbox-keys.ts';

/** The port of `sandbox`, and of the commands that talk to it. */
export const defaultPort = 4242;

/** Where a running sandbox is, and what lets in. */
export interface ControlOptions {
  readonly url?: string;
  readonly secretKey?: string;
}

const urlHelp = `Where the sandbox is. Default: PAYMENTS_BASE_URL, else http://127.0.0.1:${defaultPort}.`;
const secretKeyHelp =
  "The sandbox's secret key. Default: the key of your sandbox that runs there, else PAYMENTS_SECRET_KEY if it is a test key.";

/** The options of every command that talks to a running sandbox. */
export const controlOptions = [
  option('--url <address>', urlHelp, readAddress),
  option('--secret-key <key>', secretKeyHelp, readSecretKey),
];

/** A sandbox that runs in another process. */
export interface ControlClient {
  /** Reads something. */
  get(path: string): Promise<unknown>;
  /** Does something. */
  post(path: string, body: object): Promise<unknown>;
  /** Removes something. */
  delete(path: string): Promise<unknown>;
  /** The response as it comes in. */
  open(path: string, init: { readonly accept: string; readonly body?: object }): Promise<Response>;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (errorCode(cause) === 'ECONNREFUSED') return 'nothing listens there';
  return cause instanceof Error ? cause.message : String(error);
}

/** What an error response says. */
async function failureOf(response: Response, base: string): Promise<Failure> {
  const body = parseJson(await response.text());
  const error = isRecord(body) ? body['error'] : undefined;
  if (!isRecord(error) || typeof error['message'] !== 'string')
    return new Failure('NO_SANDBOX', `expected a sandbox at ${base}, got the status ${response.status}.`);
  const hint = response.status === 401 ? ' Give the key that the sandbox printed with --secret-key.' : '';
  const { code, message } = error;
  return new Failure(
    typeof code === 'string' ? code : 'REFUSED',
    `the sandbox at ${base} refused: ${message}${hint}`,
  );
}

async function send(base: string, path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(new URL(`_sandbox/${path}`, base), init).catch((error: unknown) => {
    const hint = "Start one with 'payments-client sandbox', or say where it is with --url.";
    throw new Failure('NO_SANDBOX', `no sandbox at ${base}: ${reasonOf(error)}. ${hint}`);
  });
  if (response.ok) return response;
  throw await failureOf(response, base);
}

/** The key to send: the one of the command line, of a sandbox on this machine, or of the environment. */
function keyFor({ secretKey }: ControlOptions, base: string): string | undefined {
  const running = isLoopbackHost(new URL(base).hostname) ? keyOfRunning(base) : undefined;
  return secretKey ?? running ?? environmentSecretKey();
}

/** The sandbox that the options or the environment name. */
export function controlClient(given: ControlOptions): ControlClient {
  const named = given.url ?? environmentVariable('PAYMENTS_BASE_URL') ?? `http://127.0.0.1:${defaultPort}`;
  if (!isWebAddress(named)) {
    // It may hold a password.
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
