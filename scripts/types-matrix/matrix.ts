/** Whether programs compile with a compiler, in each way that it can look for modules and with each set of types around. */

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entries, msw, ours, react } from './programs.ts';

/** How modules are looked for. */
interface Setting {
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
  /** Of the program's files: where both kinds of module exist, one compilation holds both. */
  readonly extensions: readonly string[];
}

const settings: readonly Setting[] = [
  {
    name: 'node16, ESM and CJS',
    options: { module: 'node16', moduleResolution: 'node16' },
    extensions: ['mts', 'cts'],
  },
  {
    name: 'nodenext, ESM and CJS',
    options: { module: 'nodenext', moduleResolution: 'nodenext' },
    extensions: ['mts', 'cts'],
  },
  { name: 'bundler', options: { module: 'esnext', moduleResolution: 'bundler' }, extensions: ['ts'] },
];

const classic: Setting = {
  name: 'classic CommonJS',
  options: { module: 'commonjs', moduleResolution: 'node10' },
  extensions: ['ts'],
};

/** TypeScript 6 has the classic way for whoever says that it is on the way out; TypeScript 7 has it no more. */
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

/** One compilation. */
interface Compilation {
  readonly compiler: string;
  readonly setting: Setting;
  readonly library: Library;
  readonly withNode: boolean;
  readonly programs: readonly Program[];
}

const programs = { ours, entries, react, msw };

type Program = keyof typeof programs;

/** What became of a compilation. */
export interface Verdict {
  readonly what: string;
  /** What the compiler says of the programs and of our declarations; empty where they compile. */
  readonly complaints: string;
}

/** The complaints that are about us: the declarations of others need not compile everywhere. */
function ourComplaints(output: string): string {
  const isOurs = (line: string) => !/^node_modules\/(?!payments-client\/)/.test(line);
  return output
    .split('\n')
    .filter((line) => /error TS\d+/.test(line) && isOurs(line))
    .join('\n');
}

function run(folder: string, compiler: string, project: string): Promise<string> {
  const tsc = join('node_modules', compiler, 'bin', 'tsc');
  const args = [tsc, '--project', project, '--pretty', 'false'];
  const options = { cwd: folder, timeout: 300_000 };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      // A compiler that complains says so on its output; one that could not work must not count as content.
      if (error !== null && !stdout.includes('error TS')) reject(new Error(`${stderr}${error.message}`));
      else resolve(stdout);
    });
  });
}

/** The files of a compilation. msw is an ES module alone, which CommonJS may import with the newest compilers only. */
function filesOf({ setting, programs }: Compilation): readonly string[] {
  const files = setting.extensions.flatMap((extension) => programs.map((name) => `${name}.${extension}`));
  return files.filter((file) => file !== 'msw.cts');
}

async function compile(folder: string, compilation: Compilation): Promise<Verdict> {
  const { compiler, setting, library, withNode, programs } = compilation;
  const compilerOptions = {
    ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ target: 'ES2022', skipLibCheck: false, lib: libraries[library], types: withNode ? ['node'] : [] },
    ...setting.options,
  };
  const node = withNode ? 'with the types of Node' : 'without the types of Node';
  const project = `${[compiler, setting.name, library, node, ...programs].join('-').replaceAll(/\W+/g, '-')}.json`;
  writeFileSync(join(folder, project), JSON.stringify({ compilerOptions, files: filesOf(compilation) }));
  const output = await run(folder, compiler, project);
  return { what: `${setting.name}, ${library}, ${node}`, complaints: ourComplaints(output) };
}

/** Writes the programs as every kind of module. */
export function writePrograms(folder: string): void {
  for (const [name, text] of Object.entries(programs)) {
    for (const extension of ['mts', 'cts', 'ts']) writeFileSync(join(folder, `${name}.${extension}`), text);
  }
}

/**
 * Compiles what uses every entry that needs no other package, in each setting, with the DOM's types and without.
 *
 * @param withNode Whether the types of Node, which must be installed then, are around.
 */
export async function* compileEntries(
  folder: string,
  compiler: string,
  withNode: boolean,
): AsyncGenerator<Verdict> {
  const shared = { compiler, withNode, programs: ['ours', 'entries'] } as const;
  for (const setting of settingsOf(compiler)) {
    yield* await Promise.all([
      compile(folder, { ...shared, setting, library: 'without the DOM' }),
      compile(folder, { ...shared, setting, library: 'with the DOM' }),
    ]);
  }
}

/** Compiles what uses the entries for React and for msw, where these and the types they need are installed. */
export async function* compilePeers(folder: string, compiler: string): AsyncGenerator<Verdict> {
  const shared = { compiler, withNode: true, library: 'with the DOM' } as const;
  for (const setting of settingsOf(compiler)) {
    const { what, complaints } = await compile(folder, { ...shared, setting, programs: ['react', 'msw'] });
    yield { what: `React and msw, ${what}`, complaints };
  }
}
