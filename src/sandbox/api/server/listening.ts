import { unlistenedAddress } from '../../../base/loopback.ts';
import { trustLength } from '../request/request-body.ts';
import { refusalOf } from './guard.ts';
import type { Address, Listener } from './listen.node.ts';

/** Where the sandbox listens. */
export interface ListenOptions {
  /** The port. Default: 0, which takes a free one. */
  readonly port?: number | undefined;
  /** The loopback address, or any with `allowRemote`. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /**
   * Whether other machines may reach the sandbox, as in a network of containers. Give them keys that you chose. The dashboard
   * is off, since its page would let in anyone who opens it. Default: false.
   */
  readonly allowRemote?: boolean | undefined;
}

/** The hosts that a sandbox listens at without `allowRemote`. */
export const loopbackHosts: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

/** Whether only this machine reaches what listens at a host. */
export function isLoopbackListener(host: string): boolean {
  return loopbackHosts.includes(host);
}

/** A sandbox on a port of this machine, or on none. */
export class Listening {
  readonly #answer: (request: Request) => Promise<Response>;
  #listener: Promise<Listener> | undefined;
  #url = unlistenedAddress;
  #isRemote = false;

  constructor(answer: (request: Request) => Promise<Response>) {
    this.#answer = answer;
  }

  /** The server's address while it listens. */
  get url(): string {
    return this.#url;
  }

  /** Whether other machines may reach it. */
  get isRemote(): boolean {
    return this.#isRemote;
  }

  /** Listens; see `Sandbox.listen`. */
  async start({ port = 0, host = '127.0.0.1', allowRemote = false }: ListenOptions): Promise<void> {
    if (!allowRemote && !isLoopbackListener(host)) {
      throw new RangeError(
        `sandbox.listen: expected host to be one of ${loopbackHosts.join(', ')}, or any with allowRemote: true, got '${host}'.`,
      );
    }
    if (this.#listener !== undefined) throw new Error('sandbox.listen: expected no earlier listen, got one.');
    this.#isRemote = allowRemote;
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
    this.#url = unlistenedAddress;
    // One that could not start has nothing to close, and `start` has said so.
    await (await listener?.catch(() => undefined))?.close();
  }

  async #checkAccess(request: Request): Promise<Response> {
    trustLength(request);
    const { url: address, isRemote } = this;
    return refusalOf(request, { address, isRemote }) ?? this.#answer(request);
  }

  async #serve(address: Address): Promise<Listener> {
    const { startServer } = await import('./listen.node.ts');
    return startServer((request) => this.#checkAccess(request), address);
  }
}
