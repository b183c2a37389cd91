import { PaymentsClient } from 'payments-client';
import { createSandbox, type Sandbox, type SandboxOptions } from 'payments-client-sandbox';

export const startsAt = Date.UTC(2026, 0, 15);

/** Starts a sandbox with a client, and functions that call its control API and perform its commands. */
export function start(options: SandboxOptions = {}): {
  sandbox: Sandbox;
  call: typeof call;
  command: typeof command;
  payments: PaymentsClient;
} {
  const sandbox = createSandbox({ startsAt, ...options });
  const { url: baseUrl, secretKey, securityKey, fetch } = sandbox;
  const payments = new PaymentsClient({ baseUrl, secretKey, securityKey, fetch, maxRetries: 0 });
  async function call(path: string, method = 'GET', body?: object, key = secretKey) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(new Request(`${baseUrl}/_sandbox/${path}`, init));
    return { status: response.status, body: JSON.parse(await response.text()) };
  }
  /** Its `body` is the result, or the error. */
  async function command(name: string, args?: object) {
    const { status, body } = await call('commands', 'POST', { name, args });
    return { status, body: status === 200 ? body.result : body, message: body.message };
  }
  return { sandbox, call, command, payments };
}
