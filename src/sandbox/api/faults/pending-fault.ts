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

/** A fault that waits for requests. */
export class PendingFault {
  /** Tells it from others. */
  readonly id: string;
  readonly fault: RequestFault;
  /** Holds the request that meets it, where it is one that holds. */
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

  /** How many requests have met it. */
  get hits(): number {
    return this.#hits;
  }

  /** Whether it would hit a request that has just arrived. Each draws and counts once, whatever else hits the request. */
  awaits({ operation, method, path }: ArrivedRequest): boolean {
    const { operation: own, probability = 1 } = this.fault;
    if (own !== undefined && own !== operation) return false;
    if (this.#route !== undefined && !this.#route.test(`${method} ${path}`)) return false;
    if (this.#skip > 0) {
      this.#skip -= 1;
      return false;
    }
    return probability === 1 || this.#random.happens(probability);
  }

  /** Counts a hit. Answers whether it was the last. */
  use(): boolean {
    this.#left -= 1;
    this.#hits += 1;
    return this.#left === 0;
  }
}
