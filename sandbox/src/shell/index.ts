/** The shell: the commands that the program `payments-client` hands over, from `sandbox` to `probe`. */

import { requireSameVersion } from '../same-version.ts';

requireSameVersion();

export type { Surroundings } from './console.ts';
export { run } from './run.ts';
