/** The client in a page. No shop has it there, since a page must not have the secret key. Its driver calls `tell`. */

import { tellInPage } from './story.ts';

Object.assign(globalThis, { tell: tellInPage });
