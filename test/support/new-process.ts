const shared = Symbol.for('payments-client/history/1');

/** What the clients of a process remember of its calls. */
export interface ProcessMemory {
  /** Begins with nothing: a process that has room for many operations, or that forgets each one when its call ends. */
  begin(isCrowded: boolean): void;
  /** Plants a defect: a doubt that is forgotten leaves no trace. */
  loseTrace(): void;
}

/** Returns the memory of the clients that were made last. */
export function memoryOfProcess(): ProcessMemory {
  const memory: object = Reflect.get(globalThis, shared);
  return {
    begin(isCrowded) {
      for (const name of ['doubts', 'executed']) Reflect.get(memory, name).clear();
      Object.assign(memory, {
        forgottenAt: Number.NEGATIVE_INFINITY,
        capacity: isCrowded ? 0 : 50_000,
      });
    },
    loseTrace() {
      const get = () => Number.NEGATIVE_INFINITY;
      Object.defineProperty(memory, 'forgottenAt', { get, set: () => {} });
    },
  };
}

/** Forgets what this process knows of earlier calls, as a new process does. Clients that were made before keep what they know. */
export function startAnew(): void {
  Reflect.deleteProperty(globalThis, shared);
}
