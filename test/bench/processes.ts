/** The processes of the benchmark: the server, and one for each contender. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ContenderName } from './contender.ts';
import type { ServerSettings, ServerUrls } from './server.ts';
import type { StorePlace } from './store-places.ts';
import type { Task, Took } from './worker.ts';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** What a process answers to a message. One that ends without an answer is an error. */
async function ask<Answer>(child: ChildProcess, message?: object): Promise<Answer> {
  const stop = new AbortController();
  const { signal } = stop;
  const gone = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`A process of the benchmark ended with ${code}.`);
  });
  const answer = once(child, 'message', { signal }).then(([value]) => value as Answer);
  if (message !== undefined) child.send(message);
  try {
    return await Promise.race([answer, gone]);
  } finally {
    stop.abort();
    for (const one of [answer, gone]) one.catch(() => {});
  }
}

/** The server in its process. */
export class BenchServer {
  readonly urls: ServerUrls;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, urls: ServerUrls) {
    this.#child = child;
    this.urls = urls;
  }

  static async start(settings: ServerSettings): Promise<BenchServer> {
    const child = fork(file('./server.ts'));
    return new BenchServer(child, await ask<ServerUrls>(child, settings));
  }

  /** How many records lists have, and how long each answer waits, in ms. */
  async set(state: { readonly total?: number; readonly latency?: number }): Promise<void> {
    await ask(this.#child, state);
  }

  stop(): void {
    this.#child.kill();
  }
}

/** A contender in its process. */
export class Runner {
  readonly name: ContenderName;
  readonly #child: ChildProcess;

  private constructor(name: ContenderName, child: ChildProcess) {
    this.name = name;
    this.#child = child;
  }

  /** @param certificate A file with the certificate that it is to trust. */
  static async start(
    name: ContenderName,
    url: string,
    certificate: string,
    store: StorePlace | undefined,
  ): Promise<Runner> {
    const child = fork(file('./worker.ts'), [name, url, ...(store ? [store.kind, store.address] : [])], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
    });
    await ask(child);
    return new Runner(name, child);
  }

  run(task: Task): Promise<Took> {
    return ask<Took>(this.#child, task);
  }

  stop(): void {
    this.#child.kill();
  }
}
