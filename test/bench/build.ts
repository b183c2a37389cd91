import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The folder where programs find stripe-node, and the build by the name of the package. */
export const folder = import.meta.dirname;

/** Links the build, since Node and TypeScript resolve the package's own name only from its root. */
export function linkBuild(): void {
  const link = join(folder, 'node_modules/payments-client');
  rmSync(link, { recursive: true, force: true });
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(join(folder, '../..'), link, 'dir');
}
