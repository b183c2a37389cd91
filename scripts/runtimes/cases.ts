/** What runs the packed packages. Each case runs one small program, and compares what it prints. */

/** Specifiers by name. */
type Packages = Readonly<Record<string, string>>;

/** The package manager that installs a project and runs its scripts. */
export type Manager = readonly [command: string, ...args: string[]];

export interface Case {
  /** What runs, with its major version; after a comma, how. */
  readonly name: string;
  readonly table: 'runtimes' | 'frameworks' | 'bundlers';
  /** The programs that make the one that runs, such as a bundler. */
  readonly build?: readonly string[];
  /** The program: a command, a Worker, a page, or a project of test/frameworks. */
  readonly run:
    | { readonly command: readonly string[]; readonly hasService?: boolean }
    | { readonly worker: string; readonly compatibilityFlags?: readonly string[] }
    | { readonly page: string; readonly isClient?: boolean }
    | {
        readonly shop: string;
        readonly path?: string;
        readonly manager?: Manager;
        readonly versions?: Packages;
      }
    | { readonly tests: string; readonly versions?: Packages };
  readonly prints: string;
  /** Whether it runs at night only. */
  readonly isNightly?: true;
}

/** The packages of the folder that the runtimes and bundlers share. */
export const packages: Packages = {
  node22: 'npm:node@22',
  node24: 'npm:node@24',
  node26: 'npm:node@26',
  bun: '1',
  deno: '2',
  esbuild: '0.28',
  rollup: '4',
  '@rollup/plugin-commonjs': '29',
  '@rollup/plugin-node-resolve': '16',
  vite: '8',
  webpack: '5',
  'webpack-cli': '7',
};

const bin = (name: string) => `node_modules/.bin/${name}`;
const nodeOf = (version: number) => `node_modules/node${version}/bin/node`;

/** How a runtime sends calls, and the outcome that a refused connection has there. */
const overNode = 'node:http, refused: not_executed';
/** The `fetch` of Bun, Deno and workerd does not tell a refused connection from a broken one. */
const overFetch = 'fetch, refused: unknown';
/** Next.js simulates its Edge runtime with Node's `fetch`, which reports the refusal. */
const onEdge = 'fetch, refused: not_executed';

/** What `process.ts` prints: over HTTP, with a sandbox in the process, and with that over HTTP. */
const inProcess = (line: string) => [line, line.replace(/.*(?=, refused)/, 'in process'), line].join('; ');

function program(name: string, command: readonly string[], line: string): Case {
  return { name, table: 'runtimes', run: { command, hasService: true }, prints: inProcess(line) };
}

const script = (name: string, command: readonly string[], prints = 'passed'): Case => ({
  name,
  table: 'runtimes',
  run: { command },
  prints,
});

const deno = [bin('deno'), 'run', '--no-prompt', '--allow-net=127.0.0.1'];
/** `require` resolves its files at run time. */
const denoWithFiles = [...deno, '--allow-read=.'];
const handled = '200 400 evt_1';

const bundleForNode = [
  bin('esbuild'),
  'process.mjs',
  '--bundle',
  '--platform=node',
  '--outfile=out/node.cjs',
];
const bundleOf = (name: string, ...options: readonly string[]) => [
  bin('esbuild'),
  `${name}.mjs`,
  '--bundle',
  '--format=esm',
  `--outfile=out/${name}.mjs`,
  ...options,
];
const forWorkers = '--conditions=workerd';
const visited = 'refused: secret_key, session: true, authenticated: true';

const runtimes: readonly Case[] = [
  ...[22, 24, 26].flatMap((version) => [
    program(`Node ${version}, import`, [nodeOf(version), 'process.mjs'], overNode),
    program(`Node ${version}, require`, [nodeOf(version), 'process.cjs'], overNode),
    script(`Node ${version}, import and require`, [nodeOf(version), 'both-builds.mjs']),
  ]),
  program('Bun 1, import', [bin('bun'), 'process.mjs'], overFetch),
  program('Bun 1, require', [bin('bun'), 'process.cjs'], overFetch),
  script('Bun 1, import and require', [bin('bun'), 'both-builds.mjs']),
  script('Bun 1, `Bun.serve({ fetch: receiver.fetch })`', [bin('bun'), 'receiver.mjs'], handled),
  script('Bun 1, its test runner', [bin('bun'), 'test', './rejects.test.mjs'], 'bun test'),
  // The bundler chose the entry for Node, and Bun has `node:http` too.
  { ...program('Bun 1, a bundle for Node', [bin('bun'), 'out/node.cjs'], overNode), build: bundleForNode },
  program('Deno 2, import', [...deno, 'process.mjs'], overFetch),
  program('Deno 2, require', [...denoWithFiles, 'process.cjs'], overFetch),
  script('Deno 2, import and require', [...denoWithFiles, 'both-builds.mjs']),
  script('Deno 2, `Deno.serve(receiver.fetch)`', [...deno, 'receiver.mjs'], handled),
  {
    ...program('Deno 2, a bundle for Node', [...denoWithFiles, 'out/node.cjs'], overFetch),
    build: bundleForNode,
  },
  {
    name: 'workerd, without flags',
    table: 'runtimes',
    build: bundleOf('worker', forWorkers),
    run: { worker: 'out/worker.mjs' },
    prints: overFetch,
  },
  {
    name: 'workerd, with nodejs_compat',
    table: 'runtimes',
    build: bundleOf('worker', forWorkers),
    run: { worker: 'out/worker.mjs', compatibilityFlags: ['nodejs_compat'] },
    prints: overFetch,
  },
  {
    name: 'workerd, with a sandbox in the Worker',
    table: 'runtimes',
    // The sandbox imports Node modules only to listen, so a bundler must leave these imports alone.
    build: bundleOf('sandbox-worker', forWorkers, '--external:node:*'),
    run: { worker: 'out/sandbox-worker.mjs' },
    prints: 'in process, refused: unknown; listens: false',
  },
  {
    name: 'Chromium, the browser entry as it is',
    table: 'runtimes',
    run: { page: 'page.mjs' },
    prints: visited,
  },
  {
    name: 'Chromium, the client',
    table: 'runtimes',
    build: bundleOf('client-page'),
    run: { page: 'out/client-page.mjs', isClient: true },
    prints: 'fetch',
  },
];

const targets = [
  { program: 'process', title: 'for Node', condition: 'node' },
  { program: 'worker', title: 'for Workers', condition: 'workerd' },
  { program: 'page', title: 'for pages', condition: '' },
] as const;

type Target = (typeof targets)[number];

/** The command of each bundler. It writes `out/<bundler>-<program>.mjs`. */
const bundlerCommands: Readonly<Record<string, (target: Target) => readonly string[]>> = {
  esbuild: ({ program, condition }) => [
    ...bundleOf(program, `--outfile=out/esbuild-${program}.mjs`),
    ...(condition === 'node' ? ['--platform=node'] : []),
    ...(condition === 'workerd' ? [forWorkers] : []),
  ],
  'rollup 4': ({ program, condition }) => [
    bin('rollup'),
    `${program}.mjs`,
    '--plugin',
    `node-resolve={exportConditions:["${condition || 'browser'}"]}`,
    '--plugin=commonjs',
    '--external=/^node:/',
    '--inlineDynamicImports',
    `--file=out/rollup-${program}.mjs`,
  ],
  'vite 8': ({ program, condition }) => [
    'env',
    `ENTRY=${program}.mjs`,
    `CONDITION=${condition}`,
    bin('vite'),
    'build',
  ],
  'webpack 5': ({ program, condition }) => [
    bin('webpack'),
    `./${program}.mjs`,
    '--mode=production',
    `--target=${condition === 'node' ? 'node' : condition === 'workerd' ? 'webworker' : 'web'}`,
    ...(condition === 'workerd'
      ? ['--resolve-condition-names=workerd', '--resolve-condition-names=...']
      : []),
    '--output-module',
    '--output-library-type=module',
    '--output-path=out',
    `--output-filename=webpack-${program}.mjs`,
  ],
};

const bundlers: readonly Case[] = Object.entries(bundlerCommands).flatMap(([name, commandOf]) =>
  targets.map((target): Case => {
    const file = `out/${name.split(' ')[0]}-${target.program}.mjs`;
    const of = { name: `${name}, ${target.title}`, table: 'bundlers', build: commandOf(target) } as const;
    if (target.program === 'page') return { ...of, run: { page: file }, prints: visited };
    if (target.program === 'worker') return { ...of, run: { worker: file }, prints: overFetch };
    return { ...of, run: { command: [nodeOf(24), file], hasService: true }, prints: inProcess(overNode) };
  }),
);

function shop(name: string, folder: string, more: { versions?: Packages; manager?: Manager } = {}): Case {
  return { name, table: 'frameworks', run: { shop: folder, ...more }, prints: '', isNightly: true };
}

const next = (version: string) =>
  (['nodejs', 'edge', 'middleware'] as const).map(
    (path): Case => ({
      name: `Next.js ${version}, ${path}`,
      table: 'frameworks',
      run: { shop: 'next', path: `/${path}`, versions: { next: version } },
      prints: path === 'nodejs' ? overNode : onEdge,
      ...(version !== '16' && { isNightly: true }),
    }),
  );

const tests = (name: string, folder: string, versions: Packages = {}): Case => ({
  name,
  table: 'frameworks',
  run: { tests: folder, versions },
  prints: '',
  isNightly: true,
});

const frameworks: readonly Case[] = [
  ...next('16'),
  ...next('15'),
  shop('Express 5', 'express'),
  shop('Express 4', 'express', { versions: { express: '4' } }),
  shop('Fastify 5', 'fastify'),
  shop('Fastify 4', 'fastify', { versions: { fastify: '4' } }),
  shop('Nest 12', 'nest'),
  shop('SvelteKit 3, adapter-node', 'sveltekit'),
  shop('Hono 4 on workerd', 'hono-workers'),
  shop('esbuild for AWS Lambda', 'lambda'),
  shop('pnpm', 'node', { manager: ['npx', '--yes', 'pnpm'] }),
  shop('Yarn PnP', 'node', { manager: ['npx', '--yes', '--package=@yarnpkg/cli-dist', 'yarn'] }),
  ...['5', '4', '3'].map((version) => tests(`vitest ${version}`, 'vitest', { vitest: version })),
  tests('jest 30, ES modules', 'jest-esm'),
  tests('jest 30, CommonJS', 'jest-cjs'),
  tests('bun test', 'bun-test'),
];

export const cases: readonly Case[] = [...runtimes, ...bundlers, ...frameworks];
