/** The SDK as Node gets it: over `node:http` in place of the runtime's `fetch`. */

import { nodeTransport } from './core/node/transport.node.ts';
import { setRuntimeTransport } from './core/runtime-transport.ts';

setRuntimeTransport(nodeTransport);

export * from './index.ts';
