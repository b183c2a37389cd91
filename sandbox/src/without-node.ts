/** Stands in for `on-node.node.ts`, so that a bundle for Workers imports no module of Node. */

import { ConfigurationError } from 'payments-client';

function refuse(): never {
  throw new ConfigurationError(
    'sandbox: expected Node, Bun or Deno to listen or to keep a data file, got another runtime. Call sandbox.fetch instead.',
  );
}

export { refuse as openSqliteFile, refuse as readOrCreateKeys, refuse as startServer };
