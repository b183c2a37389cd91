/** The service of every case: a sandbox of the package, over HTTP. */

import { createSandbox, type Sandbox } from 'payments-client/sandbox';
import type { Transport } from './kind.ts';
import { watchTransport } from './transport.ts';

/**
 * Runs some work with a sandbox.
 *
 * @param work It can ask how the sandbox's calls arrived so far.
 */
export async function withSandbox<T>(
  work: (sandbox: Sandbox, transport: () => Transport) => Promise<T>,
): Promise<T> {
  const sandbox = await createSandbox().listen();
  try {
    return await watchTransport(sandbox.url, (transport) => work(sandbox, transport));
  } finally {
    await sandbox.close();
  }
}
