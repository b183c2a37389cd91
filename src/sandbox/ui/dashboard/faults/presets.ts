import type { RequestFault } from '../../../api/faults/fault.ts';
import { words } from '../kit/format.ts';

/** A fault that can be armed with one click. */
export interface Preset {
  readonly label: string;
  readonly fault: Readonly<Record<string, unknown>> & { readonly kind: RequestFault['kind'] };
}

/** The faults that work without code. Faults that hold a request are not among them, since only code can release it. */
export const presets: readonly Preset[] = [
  { label: 'Executed, but the reply is lost', fault: { kind: 'drop_reply' } },
  { label: 'The connection breaks before execution', fault: { kind: 'drop_request' } },
  { label: 'The connection is refused', fault: { kind: 'refuse_connection' } },
  { label: 'Delayed by 2 seconds', fault: { kind: 'latency', ms: 2000 } },
  { label: 'The reply stalls half-way', fault: { kind: 'stall_body' } },
  { label: 'The connection breaks half-way through the reply', fault: { kind: 'truncate_body' } },
  { label: 'The reply is invalid JSON', fault: { kind: 'malformed_body' } },
  { label: '502 with an HTML page', fault: { kind: 'bad_gateway' } },
  { label: '503 unavailable', fault: { kind: 'unavailable' } },
  { label: '429 rate limit', fault: { kind: 'rate_limit', retryAfter: 1 } },
  {
    label: '409 idempotency key in use',
    fault: { kind: 'idempotency_error', code: 'IDEMPOTENCY_KEY_IN_PROGRESS' },
  },
  {
    label: '503 idempotency store unavailable',
    fault: { kind: 'idempotency_error', code: 'IDEMPOTENCY_STORE_UNAVAILABLE' },
  },
];

/** Whether a fault is of a preset's kind, whatever its conditions are. */
export function isLike(preset: Preset, fault: RequestFault): boolean {
  return Object.entries(preset.fault).every(([field, value]) => Reflect.get(fault, field) === value);
}

/** Returns the label of a fault. */
export function faultName(fault: RequestFault): string {
  return presets.find((preset) => isLike(preset, fault))?.label ?? words(fault.kind);
}
