/** OpenTelemetry traces and metrics for every call of a client and every delivery to a webhook receiver. */

export { openTelemetry } from './open-telemetry.ts';
