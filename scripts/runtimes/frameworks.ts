/** Frameworks, test runners and package managers: each a project of test/frameworks, used as its users would. */

import { App, type Manager } from './app.ts';
import { drive, wantedOfShop } from './drive.ts';
import type { Case, Kind, Run } from './kind.ts';
import { filesIn } from './marked-package.ts';
import { nodeTraits } from './node.ts';
import { webhookSecret } from './programs/service.ts';
import type { Project } from './project.ts';
import { withSandbox } from './sandbox.ts';
import { type Traits, wantedOfWorker, wantedRun } from './wanted.ts';

interface Framework {
  /** The name of its folder. */
  readonly folder: string;
  /** The name to choose it by. Default: that of the folder. */
  readonly name?: string;
  /** The name in the table. */
  readonly title: string;
  /** The package whose version is listed. */
  readonly shows: string;
  /** The major versions to run, newest first. Default: the version of its manifest. */
  readonly majors?: readonly number[];
  /** Default: npm. */
  readonly manager?: Manager;
  /** Whether CI's short form runs it too. */
  readonly isShort?: true;
  readonly casesOf: (app: App, title: string) => readonly Case[];
}

/**
 * Returns the environment of a shop. A build loads its modules, so the client and the receiver must be configured there
 * too.
 */
function environmentOf({ url, secretKey }: { readonly url: string; readonly secretKey: string }) {
  return { PAYMENTS_BASE_URL: url, PAYMENTS_SECRET_KEY: secretKey, WEBHOOK_SECRET: webhookSecret, PORT: '0' };
}

const atBuild = environmentOf({ url: 'https://payments.test', secretKey: 'sk_v1_test_build' });

/** Serves a shop, and runs `work` with its URL. */
async function serveShop(
  app: App,
  path: string,
  work: (url: string) => Promise<unknown> = async () => undefined,
): Promise<Run> {
  const warnings = await app.build(atBuild);
  return withSandbox(async (sandbox, transport) => {
    const server = await app.start(environmentOf(sandbox));
    const shop = async () => {
      const url = `${server.url}${path}`;
      // First: the story replaces `fetch`, and the SDK uses a `fetch` that is replaced after it was loaded.
      const story = await work(url);
      return { warnings, ...(await drive(sandbox, url)), story };
    };
    const [result] = await Promise.allSettled([shop()]);
    const output = await server.stop();
    if (result.status === 'rejected') throw new Error(`${result.reason}\n${output}`);
    return { seen: result.value, files: filesIn(output), transport: transport() };
  });
}

const wantedSeen = (story?: unknown) => ({ warnings: [], ...wantedOfShop, story });

/** A server, whose Node program loads the entry for Node. */
const server: Framework['casesOf'] = (app, name) => [
  { name, wanted: wantedRun(nodeTraits, wantedSeen(), 'index.node.js'), run: () => serveShop(app, '') },
];

const worker: Framework['casesOf'] = (app, name) => [
  {
    name,
    wanted: { seen: wantedSeen(), files: ['index.js'], transport: 'fetch' },
    run: () => serveShop(app, ''),
  },
];

/** A test runner, whose tests use `payments-client/testing`. */
const testsThatLoad =
  (...files: readonly string[]): Framework['casesOf'] =>
  (app, name) => [
    {
      name,
      wanted: { seen: 'passed', files, transport: 'none' },
      run: async () => ({ seen: 'passed', files: filesIn(await app.script('test')), transport: 'none' }),
    },
  ];

/** Next.js simulates its Edge runtime with Node's `fetch`, which reports a refused connection. */
const edgeTraits: Traits = { isCarriedByFetch: true, refused: 'not_executed' };

/** The routes of a Next.js app on one runtime, which also run the story of all runtimes. */
function nextCase(app: App, name: string, path: string, traits: Traits, file: string): Case {
  const tell = async (url: string) => {
    const { seen } = await app.project.tell(async (service) => {
      const reply = await fetch(`${url}/story`, { method: 'POST', body: JSON.stringify(service) });
      if (!reply.ok) throw new Error(await reply.text());
      return { seen: Object(await reply.json()), output: '' };
    });
    return seen;
  };
  const wanted = wantedRun(traits, wantedSeen(wantedOfWorker(traits)), file);
  return { name, wanted, run: () => serveShop(app, path, tell) };
}

const next: Framework['casesOf'] = (app, title) => [
  nextCase(app, `${title}, Edge runtime`, '/edge', edgeTraits, 'index.js'),
  nextCase(app, `${title}, Node.js runtime`, '/nodejs', nodeTraits, 'index.node.js'),
  nextCase(app, `${title}, middleware`, '/middleware', edgeTraits, 'index.js'),
];

const all: readonly Framework[] = [
  { folder: 'next', title: 'Next.js', shows: 'next', majors: [16, 15], isShort: true, casesOf: next },
  { folder: 'express', title: 'Express', shows: 'express', majors: [5, 4], casesOf: server },
  { folder: 'fastify', title: 'Fastify', shows: 'fastify', majors: [5, 4], casesOf: server },
  { folder: 'nest', title: 'Nest', shows: '@nestjs/core', casesOf: server },
  { folder: 'sveltekit', title: 'SvelteKit, adapter-node', shows: '@sveltejs/kit', casesOf: server },
  { folder: 'hono-workers', title: 'Hono on workerd', shows: 'hono', casesOf: worker },
  { folder: 'lambda', title: 'AWS Lambda handler, bundled by esbuild', shows: 'esbuild', casesOf: server },
  {
    ...{ folder: 'node', name: 'pnpm', title: 'pnpm', shows: 'pnpm' },
    ...{ manager: 'pnpm', casesOf: server },
  },
  {
    ...{ folder: 'node', name: 'yarn-pnp', title: 'Yarn PnP', shows: '@yarnpkg/cli-dist' },
    ...{ manager: 'yarn', casesOf: server },
  },
  {
    ...{ folder: 'vitest', title: 'vitest', shows: 'vitest', majors: [5, 4, 3] },
    casesOf: testsThatLoad('index.node.js'),
  },
  { folder: 'jest-esm', title: 'jest, ES modules', shows: 'jest', casesOf: testsThatLoad('index.node.js') },
  { folder: 'jest-cjs', title: 'jest, CommonJS', shows: 'jest', casesOf: testsThatLoad('index.node.cjs') },
  { folder: 'bun-test', title: 'bun test', shows: 'bun', casesOf: testsThatLoad('index.js') },
];

function kindOf(framework: Framework, major?: number): Kind {
  const { folder, title, shows, manager = 'npm', isShort = false, casesOf } = framework;
  const suffix = major === undefined ? '' : `${major}`;
  const name = `${framework.name ?? folder}${suffix}`;
  let app: App | undefined;
  const appOf = (project: Project) => {
    app ??= new App(project, {
      ...{ name, folder, manager },
      packages: major === undefined ? {} : { [shows]: suffix },
    });
    return app;
  };
  return {
    ...{ name, isLong: !isShort, isThere: () => true },
    packages: manager === 'npm' ? {} : { [shows]: '*' },
    version: (project) => appOf(project).versionOf(shows),
    cases: (project) => casesOf(appOf(project), [title, ...(suffix === '' ? [] : [suffix])].join(' ')),
  };
}

export const frameworks: readonly Kind[] = all.flatMap((framework) =>
  framework.majors === undefined
    ? [kindOf(framework)]
    : framework.majors.map((major) => kindOf(framework, major)),
);
