/**
 * Loaded before each file of `npm test`: properties draw from one seed, so that a change fails by its own fault alone. The long forms draw from a
 * new seed each time, and print it with a failure; `FC_SEED` sets it.
 */

import fc from 'fast-check';
import { size } from './size.ts';

const { FC_SEED = size === 'short' ? '20261127' : undefined } = process.env;

if (FC_SEED !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(FC_SEED) });
