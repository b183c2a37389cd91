/**
 * Runs a release locally, up to the publishing: `npm run release:dry-run`. The steps are those of
 * `.github/workflows/release.yml`, which no tool runs outside GitHub. It leaves out what `.ci/run` does before the
 * build, and builds twice, to check that builds are reproducible.
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { pack } from './tarball.ts';

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'payments-client-release-'));

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { cwd: root, stdio: 'inherit' });
}

/** The checksum of the first step, which no later step may change. */
let expected: string | undefined;

function checkChecksum(step: string, tarball: string): void {
  const sha256 = createHash('sha256').update(readFileSync(tarball)).digest('hex');
  expected ??= sha256;
  if (sha256 !== expected) throw new Error(`${step}: expected sha256 ${expected}, got ${sha256}.`);
  console.log(`sha256 ${sha256}  ${step}`);
}

function buildAndPack(step: string): string {
  run('npm', 'run', '--silent', 'build');
  const { path } = pack(folder);
  checkChecksum(step, path);
  return path;
}

function checkVersion(): void {
  const changesets = globSync('.changeset/*.md', { cwd: root });
  if (changesets.length > 0) {
    throw new Error(`expected no changeset, got ${changesets.join(', ')}. Run npm run changeset -- version.`);
  }
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  if (!changelog.includes(`\n## ${manifest.version}\n`)) {
    throw new Error(`expected a section "## ${manifest.version}" in CHANGELOG.md, got none.`);
  }
  console.log(`version ${manifest.version}`);
}

try {
  checkVersion();
  buildAndPack('built and packed');
  const tarball = buildAndPack('built and packed again');
  // From here on, `pack` returns this tarball.
  process.env['PACKAGE_TARBALL'] = tarball;
  for (const check of ['package', 'types', 'runtimes']) {
    run('npm', 'run', '--silent', `check:${check}`);
    checkChecksum(`after check:${check}`, tarball);
  }
  run('npm', 'publish', tarball, '--dry-run', '--access', 'public', '--ignore-scripts');
  checkChecksum('after npm publish --dry-run', tarball);
} finally {
  rmSync(folder, { recursive: true });
}
