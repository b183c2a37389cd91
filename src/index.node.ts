/** The SDK as Node gets it: over `node:http` in place of the runtime's `fetch`. */

import { isDeno } from './base/runtime.ts';
import { nodeTransport } from './http/transport/node.node.ts';
import { setRuntimeTransport } from './http/transport/runtime.ts';

// On Deno `require` gives this entry too.
if (!isDeno) setRuntimeTransport(nodeTransport);

export * from './index.ts';
