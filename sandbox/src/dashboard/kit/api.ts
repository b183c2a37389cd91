import { touch } from './changes.ts';

const {
  key = '',
  publicKey = '',
  types = '',
  operations = '',
} = document.querySelector<HTMLElement>('[data-key]')?.dataset ?? {};

const listOf = (text: string) => text.split(' ').filter(Boolean);

/** The values that the server writes into the page. */
export const pageData = {
  /** The key of the control API. */
  key,
  publicKey,
  /** The event types that can be triggered. */
  types: listOf(types),
  /** The operations that faults can target. */
  operations: listOf(operations),
};

/** An error response of the control API. */
class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Calls the control API and returns the unread response. */
export function request(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${pageData.key}`, ...init.headers };
  return fetch(`/_sandbox/${path}`, { ...init, headers });
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const body = await response.json().catch(() => undefined);
  const { code = '', message = `The sandbox replied ${response.status}.` } = body?.error ?? {};
  return new ApiFailure(response.status, String(code), String(message));
}

async function call(path: string, init?: RequestInit): Promise<Response> {
  const response = await request(path, init);
  if (!response.ok) throw await failureOf(response);
  return response;
}

/** Returns the JSON at a path of the control API. */
export async function get<T>(path: string): Promise<T> {
  return (await call(path)).json();
}

/** The result of a command, and the same in one sentence. */
export interface Performed<Result> {
  readonly result: Result;
  readonly message: string;
}

/** Performs a command, then reloads the visible data. */
export async function perform<Result>(name: string, args: object = {}): Promise<Performed<Result>> {
  const headers = { 'content-type': 'application/json' };
  const response = await call('commands', { method: 'POST', headers, body: JSON.stringify({ name, args }) });
  touch();
  return response.json();
}

/** Fields that hold credentials. The screen, and screenshots of it, must not show them. */
const secret: readonly string[] = ['secret', 'previous_secrets', 'client_secret', 'key'];

/** Hides the value of a secret field. A replacer of `JSON.stringify`. */
export function withoutSecrets(name: string, value: unknown): unknown {
  return secret.includes(name) ? '(not shown)' : value;
}
