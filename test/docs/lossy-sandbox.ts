/** What programs of the guides import in place of the sandbox: their sandboxes lose a reply, and then refuse. */

import { createSandbox as create, type Sandbox, type SandboxOptions } from 'payments-client-sandbox';
import type { createTestClient as createClient } from 'payments-client-sandbox/testing';
import { clientOf } from '../support/sandbox.ts';

export * from 'payments-client-sandbox';
export * from 'payments-client-sandbox/testing';

/** The sandboxes of a program, in the order of their creation. */
let made: Sandbox[] = [];
let prepare: (sandbox: Sandbox) => void = () => {};

/** Starts a program. Returns its sandboxes, which it has yet to make. */
export function startProgram(inject: typeof prepare): readonly Sandbox[] {
  made = [];
  prepare = inject;
  return made;
}

export function createSandbox(options?: SandboxOptions): Sandbox {
  const sandbox = create(options);
  made.push(sandbox);
  prepare(sandbox);
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
