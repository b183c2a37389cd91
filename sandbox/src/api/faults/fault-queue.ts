import type { Forms } from '../../domain/forms.ts';
import type { Reply } from '../../domain/records/records.ts';
import { Random } from '../../store/random.ts';
import { anyForm, isFormOperation } from '../operation.ts';
import { ConnectionDropped, type Cutting } from './cut-body.ts';
import { type ArrivedRequest, type FaultHit, HitHistory, type Hold, type RequestFault } from './fault.ts';
import { checkFault, phaseOf } from './fault-kinds.ts';
import { scriptedReply } from './scripted-reply.ts';

/** Holds one request until it is released or a timeout ends. */
class Gate implements Hold {
  readonly reached: Promise<void>;
  readonly released: Promise<void>;
  #reach = (): void => {};
  #open = (): void => {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
    this.released = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  /** Reports the arrival of the request, and waits for its release, at most `ms` milliseconds of real time. */
  pass(ms?: number): Promise<void> {
    this.#reach();
    if (ms !== undefined) this.#timer = setTimeout(() => this.release(), ms);
    return this.released;
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#open();
  }
}

function toPattern(route: string): RegExp {
  const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${route.split('*').map(literal).join('.*')}$`);
}

function countOf(fault: RequestFault): number {
  if (fault.kind === 'hold' || fault.kind === 'drop_during') return 1;
  return fault.times ?? (fault.probability === undefined ? 1 : Number.POSITIVE_INFINITY);
}

class PendingFault {
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

  get hits(): number {
    return this.#hits;
  }

  /**
   * Whether it would hit an arriving request. Every matching request draws and counts once, whatever other fault hits
   * it.
   */
  matches({ operation, method, path }: ArrivedRequest): boolean {
    const { operation: own, probability = 1 } = this.fault;
    const isAnyForm = own === anyForm && isFormOperation(operation);
    if (own !== undefined && own !== operation && !isAnyForm) return false;
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

/** A reply after the faults were applied. */
export interface Departure {
  /** The reply, which a fault may have replaced. */
  readonly reply: Reply;
  /** How its body is cut; `undefined` for a complete one. */
  readonly cutting: Cutting | undefined;
}

/** Applies faults to one request. */
export interface Visit {
  /** The fault that has hit the request; `undefined` if none has. */
  readonly fault: RequestFault | undefined;
  /** Called on arrival. Returns a reply to send instead, or `undefined`. Rejects with {@link ConnectionDropped}. */
  arrive(): Promise<Reply | undefined>;
  /** Called right before execution. Waits while the request is held. */
  proceed(): Promise<void>;
  /** Rejects with {@link ConnectionDropped} when the connection breaks during execution. */
  readonly broken: Promise<never>;
  /** Called when the reply is ready. Rejects with {@link ConnectionDropped}. */
  depart(reply: Reply): Promise<Departure>;
}

interface FaultSettings {
  readonly seed: string | number;
  readonly forms: Pick<Forms, 'errorShape'>;
  /** Waits until every delivery that is due was attempted. */
  settled(): Promise<void>;
}

/** A fault that was added. */
export interface ArmedFault {
  readonly id: string;
  /** Releases the request that it pauses; `undefined` if it pauses none. */
  readonly hold: Hold | undefined;
}

/** The armed faults in order of injection. */
export class FaultQueue {
  readonly #settings: FaultSettings;
  readonly #history = new HitHistory();
  /** All gates that can hold something, so that `clear` can open them. */
  readonly #gates = new Set<Gate>();
  #pending: PendingFault[] = [];
  #injected = 0;
  /** Never reset, so that ids stay unique after `clear`, which restarts the random draws. */
  #numbered = 0;

  constructor(settings: FaultSettings) {
    this.#settings = settings;
  }

  inject(fault: RequestFault): ArmedFault {
    checkFault(fault);
    this.#injected += 1;
    this.#numbered += 1;
    // Each fault has its own generator, so that other faults do not change its draws.
    const random = new Random(`${this.#settings.seed} fault ${this.#injected}`);
    const pending = new PendingFault(`fault_${this.#numbered}`, Object.freeze({ ...fault }), random);
    this.#pending.push(pending);
    const { id, gate } = pending;
    if (fault.kind !== 'hold' && fault.kind !== 'drop_during') return { id, hold: undefined };
    this.#gates.add(gate);
    return { id, hold: gate };
  }

  history(): readonly FaultHit[] {
    return this.#history.entries();
  }

  /** Returns the armed faults, oldest first. */
  pending(): readonly PendingFault[] {
    return this.#pending;
  }

  /** Clears one armed fault; a request that it holds stays held. Returns whether it existed. */
  withdraw(id: string): boolean {
    const before = this.#pending.length;
    this.#pending = this.#pending.filter((pending) => pending.id !== id);
    return this.#pending.length < before;
  }

  clear(): void {
    this.#pending = [];
    this.#injected = 0;
    for (const gate of this.#gates) gate.release();
    this.#gates.clear();
  }

  visit(arrival: ArrivedRequest): Visit {
    const mine = this.#pending.filter((pending) => pending.matches(arrival));
    let met: RequestFault | undefined;
    const meet = (phase: FaultHit['phase'], status?: number): PendingFault | undefined => {
      const pending = met === undefined ? this.#take(mine, phase) : undefined;
      if (pending === undefined) return undefined;
      met = pending.fault;
      this.#history.add({ ...arrival, fault: pending.fault, phase, status });
      return pending;
    };
    const { promise: broken, reject: breakOff } = breakable();
    return {
      get fault() {
        return met;
      },
      broken,
      arrive: async () => {
        const fault = meet('arrival')?.fault;
        if (fault?.kind === 'drop_request') throw new ConnectionDropped();
        if (fault?.kind === 'refuse_connection') throw new ConnectionDropped('ECONNREFUSED');
        return fault === undefined ? undefined : this.#replyInstead(fault);
      },
      proceed: async () => {
        const pending = meet('work');
        if (pending === undefined) return;
        const { fault, gate } = pending;
        if (fault.kind === 'drop_during') breakOff(new ConnectionDropped());
        await gate.pass('ms' in fault ? fault.ms : undefined);
        this.#gates.delete(gate);
      },
      depart: async (reply) => {
        const fault = meet('departure', reply.status)?.fault;
        return fault === undefined ? { reply, cutting: undefined } : this.#apply(reply, fault);
      },
    };
  }

  /** Returns the first fault that matches the request, if it applies in this phase. */
  #take(mine: readonly PendingFault[], phase: FaultHit['phase']): PendingFault | undefined {
    const first = mine.find((pending) => this.#pending.includes(pending));
    if (first === undefined || phaseOf(first.fault) !== phase) return undefined;
    if (first.countHit()) this.#pending = this.#pending.filter((pending) => pending !== first);
    return first;
  }

  async #replyInstead(fault: RequestFault): Promise<Reply | undefined> {
    if (fault.kind === 'latency') await this.#pause(fault.ms);
    return scriptedReply(fault, this.#settings.forms.errorShape);
  }

  async #apply(reply: Reply, fault: RequestFault): Promise<Departure> {
    switch (fault.kind) {
      case 'drop_reply':
        throw new ConnectionDropped();
      case 'webhook_before_reply':
        await this.#settings.settled();
        return { reply, cutting: undefined };
      case 'stall_body':
        return { reply, cutting: { resumed: this.#gate().released } };
      case 'truncate_body':
        return { reply, cutting: { resumed: undefined } };
      case 'malformed_body':
        return { reply: { ...reply, body: reply.body.slice(0, reply.body.length / 2) }, cutting: undefined };
      default:
        return { reply: (await this.#replyInstead(fault)) ?? reply, cutting: undefined };
    }
  }

  async #pause(ms: number): Promise<void> {
    const gate = this.#gate();
    await gate.pass(ms);
    this.#gates.delete(gate);
  }

  #gate(): Gate {
    const gate = new Gate();
    this.#gates.add(gate);
    return gate;
  }
}

/** Returns a promise that rejects or stays pending. It never causes an unhandled rejection. */
function breakable(): { promise: Promise<never>; reject: (reason: Error) => void } {
  let reject = (_reason: Error): void => {};
  const promise = new Promise<never>((_, rejectPromise) => {
    reject = rejectPromise;
  });
  promise.catch(() => {});
  return { promise, reject };
}
