/** The entry for Node, where schemas that are used often are compiled. */

import { compileSchemas } from '../base/schema/validation.ts';

compileSchemas();

export * from './index.ts';
