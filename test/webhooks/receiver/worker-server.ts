import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import type { Running } from './running.ts';
import type { RecordedCalls } from './shop.ts';

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles a Worker and its imports into one module, as a merchant's tools would. */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    alias: { 'payments-client/webhooks': local('../../../src/webhooks/index.ts') },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    target: 'es2022',
  });
  return outputFiles.map(({ text }) => text).join('');
}

/** A Worker running in workerd. */
export interface RunningWorker {
  readonly url: string;
  /** Runs a statement in its database, and returns the rows. */
  query(sql: string): Promise<readonly unknown[]>;
  stop(): Promise<void>;
}

/** The Worker, and its bindings in addition to a database, `DB`. */
export interface WorkerOptions {
  /** Its file. Default: worker.ts. */
  readonly entry?: string;
  /** Texts by their names. Default: none. */
  readonly bindings?: Record<string, string>;
}

/** Starts a Worker without Node modules, under the rule that promises must not cross requests. */
export async function startWorker({
  entry = local('worker.ts'),
  bindings = {},
}: WorkerOptions = {}): Promise<RunningWorker> {
  const miniflare = new Miniflare({
    modules: true,
    script: await bundle(entry),
    bindings,
    d1Databases: ['DB'],
    compatibilityDate: '2024-01-01',
    host: '127.0.0.1',
    port: 0,
    // Downloads nothing.
    cf: false,
  });
  const query = async (sql: string): Promise<readonly unknown[]> => {
    const database = await miniflare.getD1Database('DB');
    return (await database.prepare(sql).all()).results;
  };
  try {
    const { origin } = await miniflare.ready;
    return { url: origin, query, stop: () => miniflare.dispose() };
  } catch (cause) {
    await miniflare.dispose().catch(() => undefined);
    throw new Error('workerd does not start here, or refuses the Worker', { cause });
  }
}

/** A shop in a Worker. */
export function shopIn({ url }: RunningWorker): Running {
  const shop = `${url}/${randomUUID()}`;
  const calls = async (): Promise<RecordedCalls> => JSON.parse(await (await fetch(`${shop}/seen`)).text());
  return { url: `${shop}/w`, calls };
}
