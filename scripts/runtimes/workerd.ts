/** workerd, the runtime of Cloudflare Workers. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { hasWorkerd, workerdVersion } from '../../test/support/workerd.ts';
import { bundle } from './esbuild.ts';
import { expectedOfSandboxWorker, expectedOfWorker, expectedRun, type Traits } from './expected.ts';
import type { Platform, Run } from './platform.ts';
import type { Observations, Service } from './programs/service.ts';
import type { Project } from './project.ts';

/** Its `fetch` has no code that distinguishes a refused connection from a broken one. */
const workerTraits: Traits = { usesFetch: true, refused: 'unknown' };

export const expectedOfWorkerRun = expectedRun(workerTraits, expectedOfWorker(workerTraits), 'index.js');

/** A Worker of Miniflare. */
interface Miniflare {
  readonly ready: Promise<URL>;
  dispose(): Promise<void>;
}

/** Starts a Worker. Miniflare, and its types, are among the packages of the tests. */
function startWorker(options: object): Miniflare {
  const packages = createRequire(new URL('../../test/package.json', import.meta.url));
  const { Miniflare }: { Miniflare: new (given: object) => Miniflare } = packages('miniflare');
  return new Miniflare(options);
}

async function callWorker(worker: Miniflare, service: Service): Promise<Observations> {
  const { origin } = await worker.ready;
  const reply = await fetch(origin, { method: 'POST', body: JSON.stringify(service) });
  if (!reply.ok) throw new Error(await reply.text());
  return Object(await reply.json());
}

interface Compatibility {
  readonly compatibilityDate: string;
  readonly compatibilityFlags?: readonly string[];
}

/** Before it had any Node API. */
const withoutNode: Compatibility = { compatibilityDate: '2024-01-01' };
const withNode: Compatibility = { compatibilityDate: '2026-04-01', compatibilityFlags: ['nodejs_compat'] };

/** Runs the scenario in a bundled Worker. */
export function runWorker(project: Project, path: string, compatibility = withoutNode): Promise<Run> {
  return project.runScenario(async (service) => {
    let output = '';
    const worker = startWorker({
      modules: [{ type: 'ESModule', path: 'worker.mjs', contents: readFileSync(path, 'utf8') }],
      ...compatibility,
      host: '127.0.0.1',
      port: 0,
      cf: false,
      handleRuntimeStdio: (...streams: readonly Readable[]) => {
        for (const stream of streams) stream.setEncoding('utf8').on('data', (text) => (output += text));
      },
    });
    try {
      const observed = await callWorker(worker, service);
      await worker.dispose();
      return { observed, output };
    } catch (error) {
      await worker.dispose();
      throw error;
    }
  });
}

async function bundleWorker(project: Project): Promise<string> {
  const outfile = project.path('out', 'workerd.mjs');
  await bundle(project, 'worker', outfile);
  return outfile;
}

/** The sandbox imports Node modules only to listen, so a bundler must leave these imports alone. */
async function bundleSandbox(project: Project): Promise<string> {
  const outfile = project.path('out', 'workerd-sandbox.mjs');
  await bundle(project, 'worker', outfile, { entryPoints: ['sandbox-worker.mjs'], external: ['node:*'] });
  return outfile;
}

export const workerd: Platform = {
  name: 'workerd',
  packages: {},
  isAvailable: hasWorkerd,
  version: workerdVersion,
  cases: (project) => [
    {
      name: 'workerd, without flags',
      expected: expectedOfWorkerRun,
      run: async () => runWorker(project, await bundleWorker(project)),
    },
    {
      name: 'workerd, with nodejs_compat',
      expected: expectedOfWorkerRun,
      run: async () => runWorker(project, await bundleWorker(project), withNode),
    },
    {
      name: 'workerd, with a sandbox in the Worker',
      expected: { observed: expectedOfSandboxWorker(workerTraits), files: ['index.js'], transport: 'none' },
      run: async () => runWorker(project, await bundleSandbox(project)),
    },
  ],
};
