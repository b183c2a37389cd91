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
