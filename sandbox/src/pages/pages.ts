import type { Hono } from 'hono';
import type { Exchange } from '../api/exchange.ts';
import type { State } from '../domain/state.ts';

/** The parts that all pages share. */
export interface PageContext {
  /** The sandbox's state. */
  readonly state: State;
  /** The keys and the shop name of the merchant. */
  readonly settings: {
    readonly publicKey: string;
    readonly securityKey: string;
    readonly merchantName: string;
  };
  /** Logs the requests of browsers. */
  readonly exchange: Exchange;
  /** The key of the dashboard. */
  readonly dashboardKey: string;
}

/**
 * Serves all browser pages. Each build puts those of `page-routes.ts` here: `page-bundles.ts`. The source does not import
 * them, since Node cannot read `.tsx`, and the types of preact would bring those of the DOM to all code.
 */
export function createPages(_: PageContext): Hono {
  throw new Error('pages: expected a build, got the source. Build the package first.');
}
