/** The service of every case: a sandbox of the package, over HTTP. */

import { createSandbox, type Sandbox } from 'payments-client/sandbox';
import type { Transport } from './kind.ts';
import { watchTransport } from './transport.ts';

/**
 * A sandbox until the work is done.
 *
 * @param work It may ask how the calls came that the sandbox got so far.
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
