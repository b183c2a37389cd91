import type { SandboxDelivery } from '../../../domain/records/delivery.ts';
import { words } from '../kit/format.ts';
import { toneOfState } from '../kit/tone.ts';
import { Badge } from '../kit/values.tsx';

/** Shows the status of a delivery and the result of its last attempt: `pending: 500 (2 attempts)`. */
export function DeliveryResult({ delivery: { status, attempts } }: { readonly delivery: SandboxDelivery }) {
  const last = attempts.at(-1);
  const result = last === undefined ? '' : `: ${last.status ?? last.error}`;
  const count = attempts.length > 1 ? ` (${attempts.length} attempts)` : '';
  return (
    <Badge tone={toneOfState(status)}>
      {status}
      {result}
      {count}
    </Badge>
  );
}

/** Shows whether a delivery is a replay, was changed by a fault, or is held. */
export function DeliveryMarks({
  delivery: { replayed, tampering, held },
}: {
  readonly delivery: SandboxDelivery;
}) {
  return (
    <>
      {replayed && <Badge tone="info">replayed</Badge>}
      {tampering !== null && <Badge tone="warn">{words(tampering)}</Badge>}
      {held && <Badge tone="warn">held for reordering</Badge>}
    </>
  );
}
