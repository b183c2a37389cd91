import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { environmentVariable } from '../../base/runtime/runtime.ts';
import { minute } from '../../base/time.ts';

/**
 * How long a connection may lie idle before it is closed, in ms. Shorter than any usual server keeps one, so that a request
 * rarely meets a connection that the server is just closing.
 */
const maxIdle = 4_000;

/**
 * How long a connection may be used, in ms. A new one follows a change of the name service, and spreads over the hosts behind a load balancer.
 */
const maxAge = 5 * minute;

type Agent = HttpAgent | HttpsAgent;

export class Pool {
  readonly agent: Agent;
  /** When each connection was begun, by `performance.now()`. */
  readonly #made = new WeakMap<object, number>();
  #count = 0;
  #lastUse = 0;

  constructor(agent: Agent) {
    this.agent = agent;
    const connect = agent.createConnection.bind(agent);
    agent.createConnection = (...[options, callback]: Parameters<Agent['createConnection']>) => {
      this.#count += 1;
      const made = connect(options, (error, socket) => {
        this.#remember(socket);
        callback?.(error, socket);
      });
      this.#remember(made);
      return made;
    };
    const keep = agent.keepSocketAlive.bind(agent);
    // Node closes a connection for which it returns false, though its type has no result.
    agent.keepSocketAlive = (socket) => !this.#isOld(socket) && keep(socket);
  }

  /** How many connections were begun so far. */
  get count(): number {
    return this.#count;
  }

  isOwn(socket: object): boolean {
    return this.#made.has(socket);
  }

  #remember(socket: object | null | undefined): void {
    if (socket) this.#made.set(socket, performance.now());
  }

  #isOld(socket: object): boolean {
    return performance.now() - (this.#made.get(socket) ?? 0) > maxAge;
  }

  /**
   * Closes idle connections after a pause. Call it around each request: timers stop while a process is frozen, as functions are
   * between two calls.
   */
  touch(): void {
    const now = Date.now();
    if (now - this.#lastUse > maxIdle) this.closeIdle();
    this.#lastUse = now;
  }

  get idle(): number {
    return Object.values(this.agent.freeSockets).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0);
  }

  closeIdle(): void {
    for (const sockets of Object.values(this.agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }
}

/** Node reads these itself, from version 22.21 and 24.5 on. */
const proxyVariables = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'];

function proxyEnvironment(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(proxyVariables.map((name) => [name, environmentVariable(name)]));
}

/**
 * Makes a pool for one host. Hosts of this machine never use a proxy.
 *
 * @param keepAlive Whether connections serve several requests. If not, a new one resumes the TLS session of an earlier one.
 */
export function createPool(isSecure: boolean, isLoopback: boolean, keepAlive: boolean): Pool {
  const proxy = isLoopback ? {} : { proxyEnv: proxyEnvironment() };
  const options = { keepAlive, timeout: maxIdle, ...proxy };
  return new Pool(isSecure ? new HttpsAgent(options) : new HttpAgent(options));
}
