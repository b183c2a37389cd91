import type { Random } from '../../store/seeded-random.ts';
import type { RequestFault } from './fault.ts';
import { Gate } from './gate.ts';
import type { ArrivedRequest } from './hit.ts';

function toPattern(route: string): RegExp {
  const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${route.split('*').map(literal).join('.*')}$`);
}

function countOf(fault: RequestFault): number {
  if (fault.kind === 'hold' || fault.kind === 'drop_during') return 1;
  return fault.times ?? (fault.probability === undefined ? 1 : Number.POSITIVE_INFINITY);
}

/** An armed fault of requests. */
export class PendingFault {
  /** The fault's id. */
  readonly id: string;
  readonly fault: RequestFault;
  /** Holds the request if the fault is a holding one. */
  readonly gate = new Gate();
  readonly #route: RegExp | undefined;
  readonly #random: Random;
  #skip: number;
  #left: number;
  #hits = 0;

  constructor(id: string, fault: RequestFault, random: Random) {
    this.id = id;
    this.fault = fault;
    this.#route = fault.route === undefined ? undefined : toPattern(fault.route);
    this.#random = random;
    this.#skip = fault.skip ?? 0;
    this.#left = countOf(fault);
  }

  /** The number of requests that it has hit. */
  get hits(): number {
    return this.#hits;
  }

  /**
   * Whether it would hit an arriving request. Every matching request draws and counts once, whatever other fault hits
   * it.
   */
  matches({ operation, method, path }: ArrivedRequest): boolean {
    const { operation: own, probability = 1 } = this.fault;
    if (own !== undefined && own !== operation) return false;
    if (this.#route !== undefined && !this.#route.test(`${method} ${path}`)) return false;
    if (this.#skip > 0) {
      this.#skip -= 1;
      return false;
    }
    return probability === 1 || this.#random.happens(probability);
  }

  /** Counts a hit. Returns whether it was the last. */
  countHit(): boolean {
    this.#left -= 1;
    this.#hits += 1;
    return this.#left === 0;
  }
}
