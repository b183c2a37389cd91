/** Reaches inside: which transport Node gets is not an option of the package.
 *
 * The tests run on Node, so they use what merchants get there. Tests of other runtimes' `fetch` pass it as an option.
 */

import { nodeTransport } from '../../src/http/transport/node.node.ts';
import { setRuntimeTransport } from '../../src/http/transport/runtime.ts';

setRuntimeTransport(nodeTransport);
