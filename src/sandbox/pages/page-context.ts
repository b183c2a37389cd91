import type { Exchange } from '../api/exchange.ts';
import type { State } from '../domain/state.ts';

/** What the pages share. */
export interface PageContext {
  /** What the sandbox remembers. */
  readonly state: State;
  /** The merchant's keys that pages need, and the name that buyers see. */
  readonly settings: {
    readonly publicKey: string;
    readonly securityKey: string;
    readonly merchantName: string;
  };
  /** Logs what browsers ask for. */
  readonly exchange: Exchange;
  /** What the dashboard is let in with. */
  readonly dashboardKey: string;
}
