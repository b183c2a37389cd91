/** Calls whose secrets the service sends back, with a logger of a user's own. */

import { Writable } from 'node:stream';
import type { PaymentsClientOptions } from 'payments-client';
import { failEachKind, keysAndCards, optionsFor } from './calls.ts';
import { inEveryForm } from './encodings.ts';
import type { Outputs } from './outputs.ts';
import type { Place } from './places.ts';
import { answers } from './responses.ts';

/** The answers of the service. */
export const echoes = inEveryForm([keysAndCards]).flatMap((text) =>
  answers.map(
    ({ answer }) =>
      () =>
        answer(text),
  ),
);

/** Makes calls with these options of a client. */
export function callsWith(options: (out: Outputs) => PaymentsClientOptions): Place<() => Response> {
  return async (answer, out) => {
    await failEachKind(out, optionsFor(out, { fetch: async () => answer(), ...options(out) }));
  };
}

/** Returns a stream that adds what is written. */
export function streamTo(out: Outputs, from: string): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => {
      out.add(from, String(chunk));
      done();
    },
  });
}
