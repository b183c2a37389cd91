/** Calls whose secrets the service sends back, with a logger or the telemetry of a user's own. */

import { Writable } from 'node:stream';
import type { PaymentsClientOptions } from 'payments-client';
import type { startTelemetry } from '../../support/telemetry.ts';
import { failEachKind, keysAndCards, optionsFor } from './calls.ts';
import { inEveryForm } from './encodings.ts';
import type { Outputs } from './outputs.ts';
import type { Place } from './places.ts';
import { answers } from './responses.ts';

/** The answers of the service: each in every form of the secrets. */
export const echoes = inEveryForm([keysAndCards]).flatMap((text) =>
  Object.values(answers).map((answer) => () => answer(text)),
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

/** Adds what was recorded for OpenTelemetry. */
export async function addTelemetry(
  out: Outputs,
  telemetry: ReturnType<typeof startTelemetry>,
): Promise<void> {
  for (const { name, attributes, status, events, links } of telemetry.spans())
    out.add('span', { name, attributes, status, events, links });
  for (const { descriptor, dataPoints } of await telemetry.metrics())
    out.add('metric', { descriptor, attributes: dataPoints.map((point) => point.attributes) });
}
