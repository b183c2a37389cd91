/** The receiver on every server of one process; `hono.test.ts` and `worker.services.test.ts` have the others. */

import { servers, startShop } from './servers.ts';
import { receivesOn } from './suite.ts';

for (const [name, start] of Object.entries(servers)) {
  receivesOn(name, () => startShop(start), { closesFlood: name !== 'a bridge to fetch' });
}
