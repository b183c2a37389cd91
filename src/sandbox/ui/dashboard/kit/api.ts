import { touch } from './changes.ts';
import { pageData } from './page-data.ts';

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

/** Returns the text at a path of the control API. */
export async function getText(path: string): Promise<string> {
  return (await call(path)).text();
}

/** Sends a command to the control API, then reloads the visible data. */
export async function post<T = unknown>(path: string, body: object = {}): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const response = await call(path, { method: 'POST', headers, body: JSON.stringify(body) });
  touch();
  return response.json();
}

/** Deletes a path of the control API, then reloads the visible data. */
export async function remove(path: string): Promise<void> {
  await call(path, { method: 'DELETE' });
  touch();
}
