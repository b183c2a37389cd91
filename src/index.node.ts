/** The SDK as Node gets it: over `node:http` in place of the runtime's `fetch`. */

import { isDeno } from './base/runtime.ts';
import { nodeTransport } from './core/node/transport.node.ts';
import { setRuntimeTransport } from './core/runtime-transport.ts';

// On Deno `require` gives this entry too.
if (!isDeno) setRuntimeTransport(nodeTransport);

export * from './index.ts';
