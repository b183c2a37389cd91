/** The page of dependencies is complete, and no dependency reaches merchants unnoticed. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

type Names = Readonly<Record<string, string>>;
interface Manifest {
  readonly version: string;
  readonly scripts: Names;
  readonly dependencies: Names;
  readonly optionalDependencies?: Names;
  readonly peerDependencies: Names;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

const manifest: Manifest = JSON.parse(read('package.json'));
const sandbox: Manifest = JSON.parse(read('sandbox/package.json'));
const page = read('docs/dependencies.md');
const sections = new Map(page.split(/^## /m).map((text) => [text.slice(0, text.indexOf('\n')), text]));
const section = (heading: string) => sections.get(heading) ?? '';
/** Returns the rows of a table that begin with a package name. */
const rowsIn = (text: string) =>
  [...text.matchAll(/^\| (`.+) \|$/gm)].map(([, row = '']) =>
    row.split('|').map((cell) => cell.trim().replaceAll('`', '')),
  );
const licenceOf = (name: string) => JSON.parse(read(`node_modules/${name}/package.json`)).license;

const rangesIn = (heading: string) =>
  Object.fromEntries(rowsIn(section(heading)).map(([name, range]) => [name, range]));

it.each([
  ['a merchant', manifest],
  ['the sandbox', sandbox],
])('lists what %s installs, with range and licence', (who, { dependencies, optionalDependencies }) => {
  const heading = `What ${who} installs`;
  expect(optionalDependencies).toBeUndefined();
  expect(rangesIn(heading)).toEqual(dependencies);
  for (const [name = '', range, licence] of rowsIn(section(heading))) {
    expect(range).toMatch(/^\^\d/);
    expect(licenceOf(name)).toBe(licence);
  }
});

it('lists the optional peers, with a lowest version and no highest one', () => {
  const peers = { ...manifest.peerDependencies, ...sandbox.peerDependencies };
  const { 'payments-client': own, ...optional } = peers;
  expect(rangesIn('Optional peers')).toEqual(optional);
  for (const [peer, range] of Object.entries(optional)) {
    const { peerDependenciesMeta } = peer in manifest.peerDependencies ? manifest : sandbox;
    expect(peerDependenciesMeta[peer]).toEqual({ optional: true });
    expect(range).toMatch(/^>=[\d.]+$/);
  }
  expect(own).toBe(`^${manifest.version}`);
});

it('gives both packages one version', () => {
  expect(sandbox.version).toBe(manifest.version);
});

it('names versions of OpenTelemetry that satisfy each other, and that the tests use', () => {
  const named = [...read('docs/monitoring.md').matchAll(/(@opentelemetry\/[\w-]+)@[~^]([\d.]+)/g)];
  expect(named).toHaveLength(3);
  for (const [, name, version] of named)
    expect(JSON.parse(read(`node_modules/${name}/package.json`)).version, name).toBe(version);
});

it('runs no install script', () => {
  const installScripts = [
    'preinstall',
    'install',
    'postinstall',
    'prepublish',
    'preprepare',
    'prepare',
    'postprepare',
  ];
  const scripts = [manifest, sandbox].flatMap((one) => Object.keys(one.scripts));
  expect(scripts.filter((script) => installScripts.includes(script))).toEqual([]);
});

it('lists the carried packages, with the named licence', () => {
  const [, list = ''] = /const carried = \[([^\]]+)\]/.exec(read('tsup.config.ts')) ?? [];
  const carried = [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name);
  const rows = rowsIn(section('What is carried inside'));
  expect(rows.map(([name]) => name).sort()).toEqual(carried.sort());
  for (const [name = '', licence] of rows) expect(licenceOf(name)).toBe(licence);
});

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  /** A workspace. */
  readonly link?: boolean;
}

it('has a lock file with all checksums, and only reviewed install scripts', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  const installed = Object.entries<Locked>(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link !== true,
  );
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  const withScripts = installed.flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [path.replace(/^.*node_modules\//, '')] : [],
  );
  expect(withScripts.sort()).toEqual(['esbuild', 'msgpackr-extract', 'msw-2', 'node', 'sharp', 'workerd']);
});

it('publishes with provenance, in a job that runs no project code', () => {
  const [, job = ''] = read('.github/workflows/release.yml').split('\n  publish:\n');
  expect(job).toMatch(/id-token: write[\s\S]+sha256sum --check --strict[\s\S]+npm publish \S+ --provenance/);
  expect(job).not.toMatch(/checkout|npm (?:ci|install|run)|npx|node_modules/);
});

it.each(['ci', 'release'])('the workflow %s pins its actions to a commit', (name) => {
  const workflow = read(`.github/workflows/${name}.yml`);
  const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/@[0-9a-f]{40}$/);
});
