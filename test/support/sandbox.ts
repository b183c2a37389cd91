import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import { createSandbox, type Sandbox, type SandboxOptions } from 'payments-client-sandbox';
import { onTestFinished } from 'vitest';

/** Starts a sandbox that listens on loopback until the test ends. */
export async function startSandbox(options?: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox({ startsAt: Date.UTC(2026, 0, 1), ...options }).listen();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Creates a client of a sandbox, over real HTTP if the sandbox listens. */
export function clientOf(sandbox: Sandbox, options: PaymentsClientOptions = {}): PaymentsClient {
  const { url: baseUrl, secretKey, securityKey, checkoutPage } = sandbox;
  return new PaymentsClient({ baseUrl, secretKey, securityKey, checkoutPage, ...options });
}

/** Returns all charges that succeeded, and all refunds of the JSON API, such as `refund 500`. */
export async function movedIn(sandbox: Sandbox): Promise<readonly string[]> {
  const { charges, refunds } = clientOf(sandbox, { fetch: sandbox.fetch });
  const taken = (await charges.list().toArray({ max: 100 })).filter(({ status }) => status === 'succeeded');
  const returned = await refunds.list().toArray({ max: 100 });
  return [
    ...taken.map(({ amount }) => `charge ${amount}`),
    ...returned.map(({ amount }) => `refund ${amount}`),
  ];
}

/** Returns the address of a session's page, as a client has it. */
export function pageOf(sandbox: Sandbox, id: string): string {
  return clientOf(sandbox).checkoutSessions.pageUrl({ id });
}
