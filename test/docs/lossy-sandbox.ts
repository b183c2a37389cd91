/**
 * What programs of the guides import in place of the sandbox: their sandboxes lose a reply, and then refuse. The program of a later
 * process gets the same sandboxes again.
 */

import { createSandbox as create, type Sandbox, type SandboxOptions } from 'payments-client-sandbox';
import type { createTestClient as createClient } from 'payments-client-sandbox/testing';
import { clientOf } from '../support/sandbox.ts';

export * from 'payments-client-sandbox';
export * from 'payments-client-sandbox/testing';

/** The sandboxes of a program, in the order of their creation. */
const made: Sandbox[] = [];
let position = 0;
let prepare: (sandbox: Sandbox) => void = () => {};

/** Starts a program, or a later process of the program that ran before. Returns its sandboxes. */
export function startProgram(inject: typeof prepare): readonly Sandbox[] {
  made.length = 0;
  prepare = inject;
  return startProcess();
}

/** Starts a later process of the program. */
export function startProcess(): readonly Sandbox[] {
  position = 0;
  return made;
}

/** A later process simulates the same buyers again, who have paid. */
function payOnce(sandbox: Sandbox): void {
  const paid = new Map<string, ReturnType<Sandbox['pay']>>();
  const pay = sandbox.pay.bind(sandbox);
  sandbox.pay = (id, options) => {
    const intent = paid.get(id) ?? pay(id, options);
    paid.set(id, intent);
    return intent;
  };
}

export function createSandbox(options?: SandboxOptions): Sandbox {
  const known = made[position];
  const sandbox = known ?? create(options);
  position += 1;
  if (known !== undefined) return known;
  made.push(sandbox);
  prepare(sandbox);
  payOnce(sandbox);
  return sandbox;
}

export function createTestClient(
  options: Parameters<typeof createClient>[0] = {},
): ReturnType<typeof createClient> {
  const sandbox = createSandbox(options.sandbox);
  const { fetch } = sandbox;
  const ofSandbox = { maxRetries: 0, interface: options.sandbox?.interface };
  return { payments: clientOf(sandbox, { ...ofSandbox, ...options.client, fetch }), sandbox };
}
