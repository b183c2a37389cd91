/**
 * A process with a sandbox that stores its state in the file of its task. It sends its URL and its key to its parent.
 */

import { openSandbox } from 'payments-client-sandbox';

const { file }: { file: string } = JSON.parse(process.argv[2] ?? '{}');
const sandbox = await openSandbox(file);
await sandbox.listen();
process.send?.({ url: sandbox.url, secretKey: sandbox.secretKey });
