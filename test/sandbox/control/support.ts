import { PaymentsClient } from 'payments-client';
import { createSandbox, type Sandbox, type SandboxOptions } from 'payments-client/sandbox';

export const startsAt = Date.UTC(2026, 0, 15);

/** Starts a sandbox with a client and a function that calls its control API. */
export function start(options: SandboxOptions = {}): {
  sandbox: Sandbox;
  call: typeof call;
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
  return { sandbox, call, payments };
}
