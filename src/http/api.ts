import type { Connection } from './config.ts';
import type { execute } from './execute.ts';
import type { Route } from './route.ts';
import type { Secret } from './secret.ts';

/** The JSON API under `/v1`, as one client reaches it. */
export interface Api {
  readonly connection: Connection;
  /** Runs a call: sends it, or only records it. */
  readonly execute: typeof execute;
  readonly secretKey: Secret;
  /** The address of a buyer's page, with `{id}` where a session's id goes; `undefined` if it is unknown. */
  readonly checkoutPage: string | undefined;
  /** Every route, with the user's corrections. */
  readonly routes: ReadonlyMap<string, Route>;
  /** The parameters that the user says exist, by method. */
  readonly extraParameters: ReadonlyMap<string, readonly string[]>;
}
