import { ConnectionDropped } from './connection-dropped.ts';
import type { Fault, Faults, Hold, HoldFault, RespondFault } from './faults.ts';
import { Gate } from './gate.ts';
import type { Operation } from './operation.ts';
import { jsonReply, type Reply } from './reply.ts';

/** The way of one request past the faults. */
export interface Visit {
  /** On arrival: a reply that is sent instead, or `undefined`. Throws {@link ConnectionDropped}. */
  arrive(): Reply | undefined;
  /** When the request is about to be done: waits while it is held. */
  proceed(): Promise<void>;
  /** When the reply is ready. Throws {@link ConnectionDropped}. */
  depart(): void;
}

interface Pending {
  readonly fault: Fault;
  readonly gate: Gate;
  left: number;
}

/** The faults in the order in which they were injected. */
export class FaultQueue implements Faults {
  #pending: Pending[] = [];
  /** Every gate that may hold a request, so that `clear` can open it. */
  readonly #gates = new Set<Gate>();

  inject(fault: HoldFault): Hold;
  inject(fault: Exclude<Fault, HoldFault>): void;
  inject(fault: Fault): Hold | undefined {
    const gate = new Gate();
    this.#pending.push({ fault, gate, left: countOf(fault) });
    if (fault.kind !== 'hold') return undefined;
    this.#gates.add(gate);
    return gate;
  }

  clear(): void {
    this.#pending = [];
    for (const gate of this.#gates) gate.release();
    this.#gates.clear();
  }

  /** Follows a request from its arrival to its reply. */
  visit(operation: Operation | undefined): Visit {
    let met = false;
    const meet = (...kinds: Fault['kind'][]): Pending | undefined => {
      const pending = met ? undefined : this.#take(operation, kinds);
      met ||= pending !== undefined;
      return pending;
    };
    return {
      arrive: () => {
        const fault = meet('drop_request', 'respond')?.fault;
        if (fault?.kind === 'drop_request') throw new ConnectionDropped();
        return fault?.kind === 'respond' ? scriptedReply(fault) : undefined;
      },
      proceed: async () => {
        const pending = meet('hold');
        await pending?.gate.pass();
        if (pending !== undefined) this.#gates.delete(pending.gate);
      },
      depart: () => {
        if (meet('drop_reply') !== undefined) throw new ConnectionDropped();
      },
    };
  }

  /** The first fault that fits the operation, if it is of a kind that strikes now. */
  #take(operation: Operation | undefined, kinds: readonly Fault['kind'][]): Pending | undefined {
    const first = this.#pending.find(({ fault }) => fits(fault, operation));
    if (first === undefined || !kinds.includes(first.fault.kind)) return undefined;
    first.left -= 1;
    if (first.left === 0) this.#pending = this.#pending.filter((pending) => pending !== first);
    return first;
  }
}

function fits(fault: Fault, operation: Operation | undefined): boolean {
  return fault.operation === undefined || fault.operation === operation;
}

/** How many requests meet the fault, once it is known that its numbers make sense. */
function countOf(fault: Fault): number {
  if (fault.kind === 'hold') return 1;
  const { times = 1 } = fault;
  if (!(times === Number.POSITIVE_INFINITY || (Number.isSafeInteger(times) && times >= 1))) {
    throw new RangeError('faults.inject: expected times to be an integer from 1, or Infinity.');
  }
  if (fault.kind === 'respond' && !(Number.isInteger(fault.status) && isStatus(fault.status))) {
    throw new RangeError('faults.inject: expected a status from 200 to 599.');
  }
  return times;
}

function isStatus(status: number): boolean {
  return status >= 200 && status <= 599;
}

function scriptedReply({ status, headers = {}, body }: RespondFault): Reply {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const plain =
    typeof body === 'string' || body === undefined
      ? { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: body ?? '' }
      : jsonReply(status, body);
  return { ...plain, headers: { ...plain.headers, ...Object.fromEntries(own) } };
}
