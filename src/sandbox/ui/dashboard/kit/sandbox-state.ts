import { storeOf } from './shared-value.ts';

/** Something that the scheduler will do. */
export interface Due {
  /** When, in ms since 1970, by the sandbox's clock. */
  readonly at: number;
  readonly kind: string;
  readonly id: string;
  /** What it is, in words: `retry of payment_intent.succeeded to http://…`. */
  readonly what: string;
}

/** The answer of `GET /state`: what the header shows on every page. */
export interface SandboxState {
  readonly clock: { readonly now: number; readonly time: string; readonly running: boolean };
  readonly objects: Readonly<Record<string, number>>;
  readonly pending_deliveries: number;
  readonly failing_deliveries: number;
  readonly armed_faults: number;
  readonly due: readonly Due[];
  readonly books: { readonly balanced: boolean; readonly problem: string | null };
}

/** The newest state; `undefined` until it is loaded. The shell keeps it up to date. */
export const sandboxState = storeOf<SandboxState | undefined>(undefined);
