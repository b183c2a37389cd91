import type { startTelemetry } from '../../support/telemetry.ts';
import type { Outputs } from './outputs.ts';

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
