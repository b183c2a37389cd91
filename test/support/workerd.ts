import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

// It comes without types.
const { default: workerd, version }: { default: string; version: string } = createRequire(import.meta.url)(
  'workerd',
);

/** Such as `1.20260426.1`. */
export const workerdVersion = version;

/** Whether workerd runs on this machine: its binary needs a recent libc. The variable is Miniflare's. */
export function hasWorkerd(): boolean {
  return spawnSync(process.env['MINIFLARE_WORKERD_PATH'] ?? workerd, ['--version']).status === 0;
}
