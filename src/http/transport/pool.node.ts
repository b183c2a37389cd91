import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { environmentVariable, type WebAbortSignal } from '../../base/runtime/runtime.ts';
import { bounded, minute } from '../../base/time.ts';

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
    agent.keepSocketAlive = (socket) => {
      const now = performance.now();
      return now - (this.#made.get(socket) ?? now) <= maxAge && keep(socket);
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
    if (socket) this.#made.set(socket, performance.now());
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

/** Bounds the connections to a host that are in use at once. Who comes later waits in line. */
export class ConnectionLimit {
  readonly max: number;
  #inUse = 0;
  /** First come, first served. */
  readonly #line = new Set<() => void>();

  constructor(max: number) {
    this.max = max;
  }

  get inUse(): number {
    return this.#inUse;
  }

  /** Takes a place, if one is free. */
  tryEnter(): boolean {
    if (this.#inUse >= this.max) return false;
    this.#inUse += 1;
    return true;
  }

  /**
   * Waits for a place that another one leaves.
   *
   * @throws Interrupted when one of the signals is aborted first.
   */
  async waitInLine(one: WebAbortSignal, other: WebAbortSignal | undefined): Promise<void> {
    let onTurn = () => {};
    const turn = new Promise<void>((resolve) => {
      onTurn = resolve;
    });
    this.#line.add(onTurn);
    try {
      await bounded(bounded(turn, one), other);
    } catch (error) {
      // If its turn came at the same moment, the place is for the next in line.
      if (!this.#line.delete(onTurn)) this.leave();
      throw error;
    }
  }

  /** Leaves a place to the first in line. */
  leave(): void {
    for (const onTurn of this.#line) {
      this.#line.delete(onTurn);
      onTurn();
      return;
    }
    this.#inUse -= 1;
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
