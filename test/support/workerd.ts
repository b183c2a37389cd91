import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

// It comes without types.
const { default: workerd }: { default: string } = createRequire(import.meta.url)('workerd');

/** Whether workerd runs on this machine: its binary needs a recent libc. The variable is Miniflare's. */
export function hasWorkerd(): boolean {
  return spawnSync(process.env['MINIFLARE_WORKERD_PATH'] ?? workerd, ['--version']).status === 0;
}
