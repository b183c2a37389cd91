const key = document.querySelector('main')?.dataset['key'] ?? '';
const headers = { authorization: `Bearer ${key}` };

/** Calls the control API, and leaves the response to be read. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`/_sandbox/${path}`, { ...init, headers: { ...headers, ...init.headers } });
}

async function call<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await request(path, init);
  const body = await response.json();
  if (!response.ok) throw new Error(String(body?.error?.message ?? response.status));
  return body;
}

/** What the control API has. */
export function get<T>(path: string): Promise<T> {
  return call<T>(path);
}

/** Has the control API do something. */
export function post<T>(path: string, body: object): Promise<T> {
  return call<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Has the control API take something away. */
export function remove(path: string): Promise<unknown> {
  return call(path, { method: 'DELETE' });
}
