/** Forgets what this process knows of earlier calls, as a new process does. Clients that were made before keep what they know. */
export function startAnew(): void {
  Reflect.deleteProperty(globalThis, Symbol.for('payments-client/history/1'));
}
