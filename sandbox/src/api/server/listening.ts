import { startServer } from '#on-node';
import { refuseValue } from '../../base/refuse.ts';
import { unlistenedAddress } from '../../sdk.ts';
import { ConnectionDropped, cutOf } from '../faults/cut-body.ts';
import { trustLength } from '../request/request-body.ts';
import { refusalOf } from './guard.ts';
import type { Address, Answer, Listener } from './listen.node.ts';

/** Options of `Sandbox.listen`. */
export type ListenOptions = {
  /** The port. Default: 0, a free port. */
  readonly port?: number | undefined;
  /** The loopback address, or any with `allowRemote`. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /**
   * Whether other machines may connect, as in a container network. Set your own keys for it. The dashboard is off,
   * since its page would let in anyone. Default: false.
   */
  readonly allowRemote?: boolean | undefined;
};

/** The hosts that need no `allowRemote`. */
export const loopbackHosts: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

/** Whether only this machine can connect to a host. */
export function isLoopbackListener(host: string): boolean {
  return loopbackHosts.includes(host);
}

/** The server of a sandbox, which may be stopped. */
export class Listening {
  readonly #answer: (request: Request) => Promise<Response>;
  #listener: Promise<Listener> | undefined;
  #url = unlistenedAddress;
  #isRemote = false;

  constructor(answer: (request: Request) => Promise<Response>) {
    this.#answer = answer;
  }

  /** The server's URL while it listens. */
  get url(): string {
    return this.#url;
  }

  /** Whether other machines can connect. */
  get isRemote(): boolean {
    return this.#isRemote;
  }

  /** Starts the server; see `Sandbox.listen`. */
  async start({ port = 0, host = '127.0.0.1', allowRemote = false }: ListenOptions): Promise<void> {
    if (!allowRemote && !isLoopbackListener(host)) {
      const advice = 'Pass allowRemote: true to let other machines in.';
      return refuseValue('sandbox.listen.host', `one of ${loopbackHosts.join(', ')}`, host, advice);
    }
    if (this.#listener !== undefined)
      throw new Error(
        'sandbox.listen: expected a sandbox that is not listening, got one that is. Call close() first.',
      );
    this.#isRemote = allowRemote;
    const starting = this.#serve({ port, host });
    this.#listener = starting;
    try {
      const { url } = await starting;
      // It may have been stopped in the meantime.
      if (this.#listener === starting) this.#url = url;
    } catch (error) {
      this.#listener = undefined;
      throw error;
    }
  }

  /** Stops the server and closes connections. No effect if it does not listen. */
  async stop(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    this.#url = unlistenedAddress;
    // A server that failed to start has nothing to close; `start` has thrown.
    await (await listener?.catch(() => undefined))?.close();
  }

  async #checkAccess(request: Request): Promise<Response> {
    trustLength(request);
    const { url: address, isRemote } = this;
    return refusalOf(request, { address, isRemote }) ?? this.#answer(request);
  }

  async #answerOver(request: Request): Promise<Answer> {
    try {
      const response = await this.#checkAccess(request);
      return { response, cut: cutOf(response) };
    } catch (error) {
      if (error instanceof ConnectionDropped) return 'dropped';
      throw error;
    }
  }

  async #serve(address: Address): Promise<Listener> {
    return startServer((request) => this.#answerOver(request), address);
  }
}
