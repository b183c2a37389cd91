/** The client in a page. No shop does this, since a page must not have the secret key. Its driver calls `tell`. */

import { tellInPage } from './story.ts';

Object.assign(globalThis, { tell: tellInPage });
