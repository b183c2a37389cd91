import { trustLength } from '../request-body.ts';
import { refusalOf } from './guard.ts';
import type { Address, Listener } from './listen.node.ts';

/** Where the sandbox listens. */
export interface ListenOptions {
  /** The port. Default: 0, which takes a free one. */
  readonly port?: number | undefined;
  /** The loopback address. Default: `127.0.0.1`. */
  readonly host?: '127.0.0.1' | '::1' | 'localhost' | undefined;
}

/** A host that a sandbox may listen at. */
export type ListenHost = NonNullable<ListenOptions['host']>;

/** The hosts that a sandbox may listen at. */
export const listenHosts: readonly ListenHost[] = ['127.0.0.1', '::1', 'localhost'];

/** Whether a sandbox may listen at a host. */
export function isListenHost(host: string): host is ListenHost {
  return listenHosts.some((known) => known === host);
}

/** What stands in for an address while there is none. */
const noAddress = 'http://localhost';

/** A sandbox on a port of this machine, or on none. */
export class Listening {
  readonly #answer: (request: Request) => Promise<Response>;
  #listener: Promise<Listener> | undefined;
  #url = noAddress;

  constructor(answer: (request: Request) => Promise<Response>) {
    this.#answer = answer;
  }

  /** The server's address while it listens. */
  get url(): string {
    return this.#url;
  }

  /** Listens; see `Sandbox.listen`. */
  async start({ port = 0, host = '127.0.0.1' }: ListenOptions): Promise<void> {
    if (!isListenHost(host)) {
      throw new RangeError(
        'sandbox.listen: expected a loopback host, since anyone who reaches it can use it.',
      );
    }
    if (this.#listener !== undefined) throw new Error('sandbox.listen: expected no earlier listen, got one.');
    const starting = this.#serve({ port, host });
    this.#listener = starting;
    try {
      const { url } = await starting;
      // It may have been closed meanwhile.
      if (this.#listener === starting) this.#url = url;
    } catch (error) {
      this.#listener = undefined;
      throw error;
    }
  }

  /** Stops listening, and ends open connections. Without effect where it does not listen. */
  async stop(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    this.#url = noAddress;
    // One that could not start has nothing to close, and `start` has said so.
    await (await listener?.catch(() => undefined))?.close();
  }

  async #admit(request: Request): Promise<Response> {
    trustLength(request);
    return refusalOf(request, this.#url) ?? this.#answer(request);
  }

  async #serve(address: Address): Promise<Listener> {
    const { startServer } = await import('./listen.node.ts');
    return startServer((request) => this.#admit(request), address);
  }
}
