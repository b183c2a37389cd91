import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { environmentVariable } from '../../base/runtime/runtime.ts';

/**
 * How long a connection may lie idle before it is closed, in ms. Shorter than any usual server keeps one, so that a request
 * rarely meets a connection that the server is just closing.
 */
const maxIdle = 4_000;

type Agent = HttpAgent | HttpsAgent;

export class Pool {
  readonly agent: Agent;
  readonly #made = new WeakSet<object>();
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
  }

  /** How many connections were begun so far. */
  get count(): number {
    return this.#count;
  }

  isOwn(socket: object): boolean {
    return this.#made.has(socket);
  }

  #remember(socket: object | null | undefined): void {
    if (socket) this.#made.add(socket);
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
