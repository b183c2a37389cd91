/**
 * The client in a page, where the test calls `runScenario`. No shop does this, since a page must not have the secret
 * key.
 */

import { runInPage } from './scenario.ts';

Object.assign(globalThis, { runScenario: runInPage });
