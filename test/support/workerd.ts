import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

/** Loads Miniflare's workerd, which comes without types, when it is needed: `npm install` leaves it out. */
function load(): { readonly default: string } {
  const miniflare = createRequire(import.meta.url).resolve('miniflare');
  return createRequire(miniflare)('workerd');
}

/** Returns whether workerd runs on this machine: its binary needs a recent libc. The variable is Miniflare's. */
export function hasWorkerd(): boolean {
  const path = process.env['MINIFLARE_WORKERD_PATH'] ?? load().default;
  return spawnSync(path, ['--version']).status === 0;
}
