/** The page of dependencies says what is there, and nothing comes to merchants unnoticed. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

type Names = Readonly<Record<string, string>>;
interface Manifest {
  readonly scripts: Names;
  readonly dependencies?: Names;
  readonly optionalDependencies?: Names;
  readonly peerDependencies: Names;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
  readonly devDependencies: Names;
}

const manifest: Manifest = JSON.parse(read('package.json'));
const page = read('docs/dependencies.md');
const [, carried = '', rest = ''] = page.split(/^## /m);
const namesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
const firstCells = (text: string) =>
  [...text.matchAll(/^\| `([^`]+)` *\| (\S+)/gm)].map(([, ...cells]) => cells);

it('a merchant installs this package alone', () => {
  expect({ ...manifest.dependencies, ...manifest.optionalDependencies }).toEqual({});
  for (const peer of Object.keys(manifest.peerDependencies)) {
    expect(manifest.peerDependenciesMeta[peer]).toEqual({ optional: true });
    expect(page).toContain(`\`${peer}\``);
  }
});

it('nothing runs when it is installed', () => {
  const onInstall = [
    'preinstall',
    'install',
    'postinstall',
    'prepublish',
    'preprepare',
    'prepare',
    'postprepare',
  ];
  expect(Object.keys(manifest.scripts).filter((script) => onInstall.includes(script))).toEqual([]);
});

it('what is carried inside is what the build bundles, under the licence that is named', () => {
  const [, list = ''] = /const bundled = \[([^\]]+)\]/.exec(read('tsup.config.ts')) ?? [];
  const bundled = [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name);
  const rows = firstCells(carried);
  expect(rows.map(([name]) => name).sort()).toEqual(bundled.sort());
  for (const [name, licence] of rows) {
    expect(JSON.parse(read(`node_modules/${name}/package.json`)).license).toBe(licence);
  }
});

it('each dependency of the project is listed', () => {
  const [tools = ''] = rest.split('\n## ');
  const listed = [...namesIn(tools), ...firstCells(carried).map(([name]) => name)];
  expect(listed.sort()).toEqual(Object.keys(manifest.devDependencies).sort());
});

it('the lock file has a checksum for all it holds, and no script of a package that nobody looked at', () => {
  type Locked = {
    readonly integrity?: string;
    readonly resolved?: string;
    readonly hasInstallScript?: boolean;
  };
  const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(read('package-lock.json'));
  const installed = Object.entries(packages).filter(([path]) => path !== '');
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  const withScripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  expect(withScripts.sort()).toEqual(
    ['esbuild', 'msw-2', 'node', 'sharp', 'workerd'].map((name) => `node_modules/${name}`),
  );
});

it('the release has provenance, and actions that cannot change under it', () => {
  const workflow = read('.github/workflows/release.yml');
  expect(workflow).toMatch(/id-token: write[\s\S]+publish \.\/\S+\.tgz --provenance/);
  const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/@[0-9a-f]{40}$/);
});
