/** The matrix: every module resolution of each compiler, with each set of types around. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolutions, strictOptions } from './consumer.ts';
import { entries, msw, ours, react } from './programs.ts';

interface Setting {
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
  /** Of the program's files: where both kinds of module exist, one compilation holds both. */
  readonly extensions: readonly string[];
}

const settings: readonly Setting[] = [
  { name: 'node16, ESM and CJS', options: resolutions.node16, extensions: ['mts', 'cts'] },
  { name: 'nodenext, ESM and CJS', options: resolutions.nodenext, extensions: ['mts', 'cts'] },
  { name: 'bundler', options: resolutions.bundler, extensions: ['ts'] },
];

const classic: Setting = { name: 'classic CommonJS', options: resolutions.node10, extensions: ['ts'] };

/** TypeScript 6 deprecates the classic resolution, and TypeScript 7 has removed it. */
function settingsOf(compiler: string): readonly Setting[] {
  if (compiler === 'ts7') return settings;
  if (compiler !== 'ts6') return [...settings, classic];
  return [...settings, { ...classic, options: { ...classic.options, ignoreDeprecations: '6.0' } }];
}

const libraries = {
  'without the DOM': ['ES2022'],
  'with the DOM': ['ES2022', 'DOM'],
} as const;

type Library = keyof typeof libraries;

const programs = { ours, entries, react, msw };

type Program = keyof typeof programs;

/** Programs that are compiled with the same types around. */
interface Surroundings {
  readonly name: string;
  readonly library: Library;
  readonly withNode: boolean;
  readonly programs: readonly Program[];
}

const withoutPeers = (library: Library, withNode: boolean): Surroundings => ({
  name: `${library}, ${withNode ? 'with' : 'without'} the types of Node`,
  ...{ library, withNode, programs: ['ours', 'entries'] },
});

const everySurroundings: readonly Surroundings[] = [
  withoutPeers('without the DOM', false),
  withoutPeers('with the DOM', false),
  withoutPeers('without the DOM', true),
  withoutPeers('with the DOM', true),
  { name: 'React and msw', library: 'with the DOM', withNode: true, programs: ['react', 'msw'] },
];

/** The folders that programs are compiled in. */
export interface Folders {
  /** Only the package is installed: its entries must not need or refer to another. */
  readonly alone: string;
  /** The types of Node, React and msw are installed too. */
  readonly withOthers: string;
}

/** One compilation. */
export interface Compilation {
  readonly name: string;
  /** The folder of the programs. */
  readonly folder: string;
  /** The path of its `tsconfig.json`. */
  readonly project: string;
}

/** Writes the programs as every kind of module. */
export function writePrograms(folder: string): void {
  for (const [name, text] of Object.entries(programs)) {
    for (const extension of ['mts', 'cts', 'ts']) writeFileSync(join(folder, `${name}.${extension}`), text);
  }
}

/** msw is an ES module alone, which CommonJS may import with the newest compilers only. */
function filesOf(setting: Setting, { programs }: Surroundings): readonly string[] {
  const files = setting.extensions.flatMap((extension) => programs.map((name) => `${name}.${extension}`));
  return files.filter((file) => file !== 'msw.cts');
}

function writeCompilation(
  folders: Folders,
  compiler: string,
  setting: Setting,
  surroundings: Surroundings,
): Compilation {
  const { library, withNode } = surroundings;
  const folder = withNode ? folders.withOthers : folders.alone;
  const name = `${setting.name}, ${surroundings.name}`;
  const project = join(folder, `${compiler}-${name.replaceAll(/\W+/g, '-')}.json`);
  const compilerOptions = {
    ...{ ...strictOptions, ...setting.options },
    ...{ skipLibCheck: false, lib: libraries[library], types: withNode ? ['node'] : [] },
  };
  writeFileSync(project, JSON.stringify({ compilerOptions, files: filesOf(setting, surroundings) }));
  return { name, folder, project };
}

/** Writes a project for each compilation of a compiler. */
export function writeCompilations(folders: Folders, compiler: string): readonly Compilation[] {
  return settingsOf(compiler).flatMap((setting) =>
    everySurroundings.map((surroundings) => writeCompilation(folders, compiler, setting, surroundings)),
  );
}
