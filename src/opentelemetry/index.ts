/** Traces and metrics of OpenTelemetry for every call of a client. */

export { type OpenTelemetryOptions, openTelemetry } from './open-telemetry.ts';
