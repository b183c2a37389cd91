/** The entry for Node: clients send over `node:http` instead of the runtime's `fetch`. */

import { brandClass } from './base/errors.ts';
import { isDeno } from './base/runtime/runtime.ts';
import { compileSchemas } from './base/schema/validation.ts';
import { PaymentsClient as Client, type PaymentsClientOptions } from './client.ts';
import { runtimeTransport } from './http/transport/fetch.ts';
import { nodeTransport } from './http/transport/node.node.ts';
import { readInterfaceFile } from './interface-file.node.ts';
import { type TransactOptions, Transact as TransactOverFetch } from './transact/transact.ts';

compileSchemas();

// On Deno `require` gives this entry too.
const transport = isDeno ? runtimeTransport : nodeTransport;

/** The client of the payment service. */
export class PaymentsClient extends Client {
  // esbuild renames a class that extends one of the same name, and `util.inspect` would print that.
  static override readonly name = 'PaymentsClient';
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ brandClass(this, 'PaymentsClient');

  constructor(options?: PaymentsClientOptions) {
    super(options, { transport, readInterface: readInterfaceFile });
  }
}

/** The form endpoint. */
export class Transact extends TransactOverFetch {
  static override readonly name = 'Transact';
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ brandClass(this, 'Transact');

  constructor(options?: TransactOptions) {
    super(options, transport);
  }
}

export * from './index.ts';
