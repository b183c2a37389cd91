/** The receiver on every server of one process; `hono.test.ts` and `worker.services.test.ts` have the others. */

import { servers, startShop } from './servers.ts';
import { receivesOn } from './suite.ts';

for (const [turn, [name, start]] of Object.entries(servers).entries()) {
  receivesOn(name, () => startShop(start), { closesFlood: name !== 'a bridge to fetch', turn });
}
