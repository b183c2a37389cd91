import type { SandboxStatus } from '../../../control/state-routes.ts';
import { storeOf } from './shared-value.ts';

/** The sandbox's status; `undefined` until it is loaded. The shell keeps it up to date. */
export const sandboxState = storeOf<SandboxStatus | undefined>(undefined);
