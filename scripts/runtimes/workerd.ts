/** workerd, the runtime of Cloudflare Workers, without any compatibility flag. */

import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { hasWorkerd } from '../../test/support/workerd.ts';
import type { Kind } from './kind.ts';
import type { Seen, Service } from './programs/service.ts';
import type { Project } from './project.ts';
import { type Traits, wantedOfSandboxWorker, wantedOfWorker } from './wanted.ts';

/** It gives no code by which a refused connection could be told from a broken one. */
export const workerTraits: Traits = { isCarriedByFetch: true, refused: 'unknown' };

async function ask(worker: Miniflare, service: Service): Promise<Seen> {
  const { origin } = await worker.ready;
  const reply = await fetch(origin, { method: 'POST', body: JSON.stringify(service) });
  if (!reply.ok) throw new Error(await reply.text());
  return Object(await reply.json());
}

/** Puts a bundled Worker through the story. */
export function tellWorker(project: Project, path: string): Promise<Seen> {
  return project.tell(async (service) => {
    const worker = new Miniflare({
      modules: [{ type: 'ESModule', path: 'worker.mjs', contents: readFileSync(path, 'utf8') }],
      compatibilityDate: '2024-01-01',
      ...{ host: '127.0.0.1', port: 0, cf: false },
    });
    try {
      return await ask(worker, service);
    } finally {
      await worker.dispose();
    }
  });
}

/** The sandbox's server needs modules of Node, which are looked for only when it listens. */
async function bundle(project: Project, program: string): Promise<string> {
  const outfile = project.path('out', `workerd-${program}`);
  await build({
    ...{ entryPoints: [project.path(program)], bundle: true, format: 'esm', outfile },
    ...{ conditions: ['workerd'], external: ['node:*'], logLevel: 'error' },
  });
  return outfile;
}

export const workerd: Kind = {
  name: 'workerd',
  packages: {},
  isThere: hasWorkerd,
  cases: (project) => [
    {
      name: 'workerd',
      wanted: wantedOfWorker(workerTraits),
      run: async () => tellWorker(project, await bundle(project, 'worker.mjs')),
    },
    {
      name: 'workerd, with a sandbox in the Worker',
      wanted: wantedOfSandboxWorker(workerTraits),
      run: async () => tellWorker(project, await bundle(project, 'sandbox-worker.mjs')),
    },
  ],
};
