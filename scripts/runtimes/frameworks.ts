/** Frameworks, test runners and package managers: each a project of test/frameworks. */

import { App, type Manager } from './app.ts';
import { expectedOfWorker, expectedRun, type Traits } from './expected.ts';
import { filesIn } from './marked-package.ts';
import { nodeTraits } from './node.ts';
import type { Case, Platform, Run } from './platform.ts';
import { webhookSecret } from './programs/service.ts';
import type { Project } from './project.ts';
import { withSandbox } from './sandbox.ts';
import { expectedOfShop, runShopScenario } from './shop-scenario.ts';

interface Framework {
  readonly folder: string;
  /** The name that selects it. Default: that of the folder. */
  readonly name?: string;
  /** The name in the table. */
  readonly title: string;
  /** The package whose version is listed. */
  readonly dependency: string;
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
  return {
    PAYMENTS_BASE_URL: url,
    PAYMENTS_SECRET_KEY: secretKey,
    PAYMENTS_WEBHOOK_SECRET: webhookSecret,
    PORT: '0',
  };
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
      // This runs first: it replaces `fetch`, and the SDK uses a `fetch` that is replaced after loading.
      const scenario = await work(url);
      return { warnings, ...(await runShopScenario(sandbox, url)), scenario };
    };
    const [result] = await Promise.allSettled([shop()]);
    const output = await server.stop();
    if (result.status === 'rejected') throw new Error(`${result.reason}\n${output}`);
    return { observed: result.value, files: filesIn(output), transport: transport() };
  });
}

const expectedObservations = (scenario?: unknown) => ({ warnings: [], ...expectedOfShop, scenario });

/** A server, whose Node program loads the entry for Node. */
const server: Framework['casesOf'] = (app, name) => [
  {
    name,
    expected: expectedRun(nodeTraits, expectedObservations(), 'index.node.js'),
    run: () => serveShop(app, ''),
  },
];

const worker: Framework['casesOf'] = (app, name) => [
  {
    name,
    expected: { observed: expectedObservations(), files: ['index.js'], transport: 'fetch' },
    run: () => serveShop(app, ''),
  },
];

/** A test runner, whose tests use `payments-client/testing`. */
const testRunner =
  (...files: readonly string[]): Framework['casesOf'] =>
  (app, name) => [
    {
      name,
      expected: { observed: 'passed', files, transport: 'none' },
      run: async () => ({ observed: 'passed', files: filesIn(await app.script('test')), transport: 'none' }),
    },
  ];

/** Next.js simulates its Edge runtime with Node's `fetch`, which reports a refused connection. */
const edgeTraits: Traits = { usesFetch: true, refused: 'not_executed' };

/** The routes of a Next.js app on one runtime, which also run the scenario of all runtimes. */
function nextCase(app: App, name: string, path: string, traits: Traits, file: string): Case {
  const runScenario = async (url: string) => {
    const { observed } = await app.project.runScenario(async (service) => {
      const reply = await fetch(`${url}/scenario`, { method: 'POST', body: JSON.stringify(service) });
      if (!reply.ok) throw new Error(await reply.text());
      return { observed: Object(await reply.json()), output: '' };
    });
    return observed;
  };
  const expected = expectedRun(traits, expectedObservations(expectedOfWorker(traits)), file);
  return { name, expected, run: () => serveShop(app, path, runScenario) };
}

const next: Framework['casesOf'] = (app, title) => [
  nextCase(app, `${title}, Edge runtime`, '/edge', edgeTraits, 'index.js'),
  nextCase(app, `${title}, Node.js runtime`, '/nodejs', nodeTraits, 'index.node.js'),
  nextCase(app, `${title}, middleware`, '/middleware', edgeTraits, 'index.js'),
];

const all: readonly Framework[] = [
  { folder: 'next', title: 'Next.js', dependency: 'next', majors: [16, 15], isShort: true, casesOf: next },
  { folder: 'express', title: 'Express', dependency: 'express', majors: [5, 4], casesOf: server },
  { folder: 'fastify', title: 'Fastify', dependency: 'fastify', majors: [5, 4], casesOf: server },
  { folder: 'nest', title: 'Nest', dependency: '@nestjs/core', casesOf: server },
  { folder: 'sveltekit', title: 'SvelteKit, adapter-node', dependency: '@sveltejs/kit', casesOf: server },
  { folder: 'hono-workers', title: 'Hono on workerd', dependency: 'hono', casesOf: worker },
  {
    folder: 'lambda',
    title: 'esbuild for AWS Lambda',
    dependency: 'esbuild',
    casesOf: server,
  },
  {
    folder: 'node',
    name: 'pnpm',
    title: 'pnpm',
    dependency: 'pnpm',
    manager: 'pnpm',
    casesOf: server,
  },
  {
    folder: 'node',
    name: 'yarn-pnp',
    title: 'Yarn PnP',
    dependency: '@yarnpkg/cli-dist',
    manager: 'yarn',
    casesOf: server,
  },
  {
    folder: 'vitest',
    title: 'vitest',
    dependency: 'vitest',
    majors: [5, 4, 3],
    casesOf: testRunner('index.node.js'),
  },
  { folder: 'jest-esm', title: 'jest, ES modules', dependency: 'jest', casesOf: testRunner('index.node.js') },
  { folder: 'jest-cjs', title: 'jest, CommonJS', dependency: 'jest', casesOf: testRunner('index.node.cjs') },
  { folder: 'bun-test', title: 'bun test', dependency: 'bun', casesOf: testRunner('index.js') },
];

function platformOf(framework: Framework, major?: number): Platform {
  const { folder, title, dependency, manager = 'npm', isShort = false, casesOf } = framework;
  const suffix = major === undefined ? '' : `${major}`;
  const name = `${framework.name ?? folder}${suffix}`;
  let app: App | undefined;
  const appOf = (project: Project) => {
    app ??= new App(project, {
      name,
      folder,
      manager,
      packages: major === undefined ? {} : { [dependency]: suffix },
    });
    return app;
  };
  return {
    name,
    isLong: !isShort,
    isAvailable: () => true,
    packages: manager === 'npm' ? {} : { [dependency]: '*' },
    version: (project) => appOf(project).versionOf(dependency),
    cases: (project) => casesOf(appOf(project), [title, ...(suffix === '' ? [] : [suffix])].join(' ')),
  };
}

export const frameworks: readonly Platform[] = all.flatMap((framework) =>
  framework.majors === undefined
    ? [platformOf(framework)]
    : framework.majors.map((major) => platformOf(framework, major)),
);
