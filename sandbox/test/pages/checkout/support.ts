import { createSandbox, type Sandbox, type SandboxObjects } from 'payments-client-sandbox';

export type Session = SandboxObjects['checkout_session'];

export const urls = {
  success_url: 'https://shop.example/thanks?a=1&b=2',
  cancel_url: 'https://shop.example/cart',
};
export const buyer = { name: 'Ada Augusta Lovelace', email: 'ada@example.com' };
export const card = { ccnumber: '4111 1111 1111 1111', ccexp: '12/30', cvv: '123' };

/** Creates a sandbox at the beginning of 2026, with a session. */
export function start(
  fields: Partial<Session> = {},
  options: Parameters<typeof createSandbox>[0] = {},
): { sandbox: Sandbox; session: Session } {
  // The tests look for digits that must not occur, so the ids are always the same.
  const sandbox = createSandbox({ startsAt: Date.UTC(2026, 0, 1), seed: 'pages', ...options });
  return { sandbox, session: sandbox.add('checkout_session', { ...urls, ...fields }) };
}

/** Requests the page of a session. */
export function show(
  sandbox: Sandbox,
  { id }: { readonly id: string },
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return sandbox.fetch(new Request(`${sandbox.url}/checkout/${id}`, { headers }));
}

/** Submits the page's form. */
export function submit(
  sandbox: Sandbox,
  { id }: Session,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  const body = new URLSearchParams(fields);
  const url = `${sandbox.url}/checkout/${id}`;
  return sandbox.fetch(new Request(url, { method: 'POST', body, redirect: 'manual' }));
}

export const typesOf = (sandbox: Sandbox): string[] => sandbox.events.map(({ type }) => type);
