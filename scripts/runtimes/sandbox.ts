/** Runs the sandbox of a case, over HTTP. */

import { createSandbox, type Sandbox } from 'payments-client/sandbox';
import type { Transport } from './platform.ts';
import { observeTransport } from './transport.ts';

/**
 * Runs some work with a sandbox.
 *
 * @param work Its second argument returns the transport of the calls so far.
 */
export async function withSandbox<T>(
  work: (sandbox: Sandbox, transport: () => Transport) => Promise<T>,
): Promise<T> {
  const sandbox = await createSandbox().listen();
  try {
    return await observeTransport(sandbox.url, (transport) => work(sandbox, transport));
  } finally {
    await sandbox.close();
  }
}
