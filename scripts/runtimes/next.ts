/** Next.js: an app with routes on both of its runtimes, Edge and Node.js, and middleware, built and started. */

import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { launchProgram, type Program, runProgram } from '../../test/support/programs.ts';
import type { Case, Kind } from './kind.ts';
import { nodeTraits } from './node.ts';
import { type Delivery, type Seen, webhookSecret } from './programs/service.ts';
import type { Project } from './project.ts';
import { type Traits, wantedOfApp } from './wanted.ts';

/** It is simulated over Node's `fetch`, which says that a connection was refused. */
const edgeTraits: Traits = { isCarriedByFetch: true, refused: 'not_executed' };

const programs = ['fetches', 'receiver', 'service', 'story', 'worker'];
const runtimes = ['edge', 'nodejs'] as const;

/** The route handlers of a runtime. Next.js reads the name of the runtime from the source. */
function routesFor(runtime: string): Readonly<Record<string, string>> {
  const declared = `export const runtime = '${runtime}';`;
  return {
    story: `import worker from '../../../worker.mjs';\n${declared}\nexport const POST = worker.fetch;\n`,
    webhooks: `import { receiver } from '../../../receiver.mjs';\n${declared}\nexport const POST = receiver.fetch;\n`,
  };
}

/** Middleware, which answers at the same paths. Next.js 15 looks for what the Edge runtime lacks in middleware alone. */
const middleware = `import { receiver } from './receiver.mjs';
import worker from './worker.mjs';
export const config = { matcher: '/middleware/:route' };
export const middleware = (request) =>
  request.nextUrl.pathname === '/middleware/story' ? worker.fetch(request) : receiver.fetch(request);
`;

/**
 * The app is its own root. Next.js would take the project's lock file for a sign of a larger one. The files of its server are not
 * traced: that is for deployments, and takes a third of the build.
 */
const configuration = `export default {
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
  outputFileTracingExcludes: { 'next-server': ['**/*'] },
};
`;

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Writes the app and installs what it needs. */
async function makeApp(project: Project, version: number): Promise<string> {
  const folder = await project.installApp(`next${version}`, {
    next: `${version}`,
    react: '19',
    'react-dom': '19',
  });
  for (const name of programs) copyFileSync(project.path(`${name}.mjs`), join(folder, `${name}.mjs`));
  for (const runtime of runtimes) {
    for (const [route, source] of Object.entries(routesFor(runtime))) {
      write(join(folder, 'app', runtime, route, 'route.js'), source);
    }
  }
  write(join(folder, 'middleware.js'), middleware);
  write(join(folder, 'next.config.mjs'), configuration);
  return folder;
}

const environment = {
  WEBHOOK_SECRET: webhookSecret,
  NEXT_TELEMETRY_DISABLED: '1',
  // It would ask the registry for the builds of other platforms.
  NEXT_IGNORE_INCORRECT_LOCKFILE: '1',
};

const programOf = (folder: string): Program => ({
  path: join(folder, 'node_modules/next/dist/bin/next'),
  folder,
});

/** What Next.js says of code that does not run on its Edge runtime. */
const warning = /Node\.js (?:API|module)|dynamic code|payments-client/i;

/** Builds an app, and gives the warnings of code that the Edge runtime does not run. */
async function build(folder: string): Promise<readonly string[]> {
  const { code, stdout, stderr } = await runProgram(programOf(folder), ['build'], environment);
  const output = `${stdout}\n${stderr}`;
  if (code !== 0) throw new Error(`next build ended with ${code}: ${output}`);
  return output.split('\n').filter((line) => warning.test(line));
}

async function post(url: string, body: string, headers: Delivery['headers'] = {}): Promise<Response> {
  return fetch(url, { method: 'POST', body, headers });
}

/** What a receiver answers to a delivery and to a forged one. */
async function deliver(url: string, { body, headers }: Delivery): Promise<readonly unknown[]> {
  const replies = [await post(url, body, headers), await post(url, `${body} `, headers)];
  return Promise.all(replies.map(async (reply) => [reply.status, await reply.json()]));
}

/** Puts the routes of one runtime through the story. */
function tell(project: Project, folder: string, url: string): Promise<Seen> {
  return project.tell(async (service) => {
    const reply = await post(`${url}/story`, JSON.stringify(service));
    if (!reply.ok) throw new Error(await reply.text());
    return {
      ...Object(await reply.json()),
      receiver: await deliver(`${url}/webhooks`, service.delivery),
    };
  }, folder);
}

async function tellApp(project: Project, folder: string): Promise<Seen> {
  const server = launchProgram(
    programOf(folder),
    ['start', '--hostname', '127.0.0.1', '--port', '0'],
    environment,
  );
  try {
    const line = await server.line((printed) => printed.includes('http://127.0.0.1:'));
    const url = line.slice(line.indexOf('http:')).trim();
    return {
      edge: await tell(project, folder, `${url}/edge`),
      middleware: await tell(project, folder, `${url}/middleware`),
      nodejs: await tell(project, folder, `${url}/nodejs`),
    };
  } finally {
    await server.stop();
  }
}

function caseOf(version: number, project: Project): Case {
  return {
    name: `Next.js ${version}, Edge and Node.js runtime`,
    wanted: wantedOfApp(edgeTraits, nodeTraits),
    run: async () => {
      const folder = await makeApp(project, version);
      const warnings = await build(folder);
      return { warnings, ...(await tellApp(project, folder)) };
    },
  };
}

function kindOf(version: number): Kind {
  return {
    name: `next${version}`,
    // Each version is installed with its app.
    packages: {},
    isThere: () => true,
    cases: (project) => [caseOf(version, project)],
  };
}

/** Its major versions, oldest first. */
export const nextVersions: readonly number[] = [15, 16];

export const nexts: readonly Kind[] = nextVersions.map(kindOf);
