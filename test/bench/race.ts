import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from './build.ts';
import { Child } from './child.ts';
import type { ServerSettings } from './server.ts';
import type { JobSettings, Side } from './side.ts';
import type { Took, Turn, WorkerSettings } from './worker.ts';

/** Two sides that take turns (A B A B …), each in a process of its own, so that a slow moment of the machine affects both. */
export interface Race {
  readonly ours: Side;
  readonly theirs: Side;
  readonly turn: Turn;
  readonly rounds: number;
  /** How many calls each side makes before anything is measured. Default: 20,000. */
  readonly warmUp?: number;
  readonly server?: Partial<Omit<ServerSettings, 'certificate'>>;
  readonly isSecure?: boolean;
  readonly settings?: Partial<Omit<JobSettings, 'url'>>;
}

/** What each turn of the two sides took. */
export interface Results {
  readonly ours: readonly Took[];
  readonly theirs: readonly Took[];
}

/** Does something with a server, and stops it afterwards. */
export async function withServer<T>(
  settings: Partial<ServerSettings>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const server = new Child('./server.ts', { total: 10_000, latency: 0, ...settings });
  try {
    return await work(await server.next<string>());
  } finally {
    server.stop();
  }
}

async function startSide(settings: WorkerSettings, certificate: string | undefined): Promise<Child> {
  const side = new Child('./worker.ts', settings, certificate ? { NODE_EXTRA_CA_CERTS: certificate } : {});
  await side.next();
  return side;
}

function newCertificate(): string {
  mkdirSync(join(folder, '.tmp'), { recursive: true });
  return join(folder, '.tmp/certificate.pem');
}

/** Runs a race. */
export function run({ turn, rounds, warmUp = 20_000, ...race }: Race): Promise<Results> {
  const certificate = race.isSecure === true ? newCertificate() : undefined;
  return withServer({ ...race.server, certificate }, async (url) => {
    const settings = { url, workPerPage: 0, ...race.settings };
    const ours = await startSide({ ...settings, ...race.ours }, certificate);
    const theirs = await startSide({ ...settings, ...race.theirs }, certificate);
    const results: { ours: Took[]; theirs: Took[] } = { ours: [], theirs: [] };
    for (const side of [ours, theirs]) await side.ask({ ...turn, count: warmUp });
    for (let round = 0; round < rounds; round += 1) {
      results.ours.push(await ours.ask<Took>(turn));
      results.theirs.push(await theirs.ask<Took>(turn));
    }
    for (const side of [ours, theirs]) side.stop();
    return results;
  });
}
