/** The client in a page. No shop does this, since a page must not have the secret key. */

import { runInPage } from '../programs/scenario.ts';

Object.assign(globalThis, { visit: runInPage });
