import type { RecordedRequest } from '../../../stories/entry.ts';
import { words } from '../kit/format.ts';
import { Badge } from '../kit/values.tsx';

/** Shows the badges of a request: its sender, a lost or replayed response, a fault. */
export function Marks({ request }: { readonly request: RecordedRequest }) {
  const { source, fault, replayed, arrived } = request;
  // The badge for a lost response says it already.
  const isOtherFault = fault !== null && fault.kind !== 'drop_reply';
  if (source === 'app' && !replayed && arrived && !isOtherFault) return null;
  return (
    <span class="line">
      {source !== 'app' && <Badge>{source}</Badge>}
      {replayed && <Badge tone="info">replayed</Badge>}
      {!arrived && <Badge tone="bad">reply lost</Badge>}
      {isOtherFault && <Badge tone="warn">{words(fault.kind)}</Badge>}
    </span>
  );
}
