import type { Exchange } from '../api/exchange.ts';
import type { State } from '../domain/state.ts';
import type { Settings } from '../options.ts';

/** What the pages share. */
export interface PageParts {
  /** What the sandbox remembers. */
  readonly state: State;
  /** How it was asked to be. */
  readonly settings: Settings;
  /** Logs what browsers ask for. */
  readonly exchange: Exchange;
  /** What the dashboard is let in with. */
  readonly dashboardKey: string;
}
