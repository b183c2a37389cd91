/** The entry for Node, where schemas that are used often are compiled. */

import { compileSchemas } from '../base/validation.ts';

compileSchemas();

export * from './index.ts';
