import type { Forms } from '../../domain/forms.ts';
import type { Reply } from '../../domain/records/reply.ts';
import { Random } from '../../store/seeded-random.ts';
import { checkFault } from './check-fault.ts';
import { ConnectionDropped } from './connection-dropped.ts';
import type { Cutting } from './cut-body.ts';
import type { Hold, RequestFault } from './fault.ts';
import { Gate } from './gate.ts';
import { type ArrivedRequest, type FaultHit, HitHistory } from './hit.ts';
import { PendingFault } from './pending-fault.ts';
import { phaseOf } from './phase.ts';
import { scriptedReply } from './scripted-reply.ts';

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

/** The settings of faults. */
export interface FaultSettings {
  /** The random seed. */
  readonly seed: string | number;
  /** The error shape. */
  readonly forms: Pick<Forms, 'errorShape'>;
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

  inject(fault: RequestFault): Hold | undefined {
    checkFault(fault);
    this.#injected += 1;
    this.#numbered += 1;
    // Each fault has its own generator, so that other faults do not change its draws.
    const random = new Random(`${this.#settings.seed} fault ${this.#injected}`);
    const pending = new PendingFault(`fault_${this.#numbered}`, Object.freeze({ ...fault }), random);
    this.#pending.push(pending);
    if (fault.kind !== 'hold' && fault.kind !== 'drop_during') return undefined;
    this.#gates.add(pending.gate);
    return pending.gate;
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

  /** Starts applying faults to a request. */
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
