import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import { createSandbox, type Sandbox, type SandboxOptions } from 'payments-client/sandbox';
import { onTestFinished } from 'vitest';

/** A sandbox that listens on loopback until the test is over. */
export async function startSandbox(options?: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox({ startsAt: Date.UTC(2026, 0, 1), ...options }).listen();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** A client of a sandbox, over real HTTP where the sandbox listens. */
export function clientOf(sandbox: Sandbox, options: PaymentsClientOptions = {}): PaymentsClient {
  const { url: baseUrl, secretKey, securityKey } = sandbox;
  return new PaymentsClient({ baseUrl, secretKey, securityKey, ...options });
}
