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

/** Returns the address of a session's page, as a client has it. */
export function pageOf(sandbox: Sandbox, id: string): string {
  return clientOf(sandbox).checkoutSessions.pageUrl({ id });
}
