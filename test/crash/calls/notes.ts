/** What a process notes of its calls. */

import type { RecordedResponse } from './task.ts';

/** A call starts that a restarted process must not repeat. */
interface Begun {
  readonly kind: 'begun';
  readonly order: string;
}

/** An order has its result. */
interface Answered {
  readonly kind: 'answered';
  readonly order: string;
  readonly response: RecordedResponse;
}

/** A call ended with an error. */
export interface Failed {
  readonly kind: 'failed';
  readonly order: string;
  readonly name: string;
  readonly code: string | undefined;
  readonly outcome: string;
}

/** One line. */
export type Note = Begun | Answered | Failed;
