/** A process with a sandbox that keeps its state in the file of the first argument. It tells its address and its key to its parent. */

import { openSandbox } from '../../../src/sandbox/index.ts';

const sandbox = await openSandbox(process.argv[2] ?? '');
await sandbox.listen();
process.send?.({ url: sandbox.url, secretKey: sandbox.secretKey });
