import type { DeliveryFaultKind, PendingDeliveryFault } from '../../../domain/records/delivery-fault.ts';
import { post } from '../kit/api.ts';
import { Button } from '../kit/button.tsx';
import { Badge } from '../kit/values.tsx';
import { withdraw } from './switches.tsx';

const labels: Readonly<Record<DeliveryFaultKind, string>> = {
  duplicate_delivery: 'Duplicated',
  reorder_delivery: 'Out of order',
  delay_delivery: 'Delayed by 1 hour',
  forge_delivery: 'Signed with a wrong secret',
  tamper_delivery: 'Body changed after signing',
  drop_delivery: 'Dropped',
};

/** Shows the faults of deliveries, with buttons that arm them. */
export function DeliveryFaults({ pending }: { readonly pending: readonly PendingDeliveryFault[] }) {
  return (
    <>
      <div class="actions">
        {Object.entries(labels).map(([kind, label]) => (
          <Button
            key={kind}
            act={() => post('faults', { kind, ...(kind === 'delay_delivery' && { by: '1 hour' }) })}
          >
            {label}
          </Button>
        ))}
      </div>
      {pending.length > 0 && (
        <p class="line waiting">
          Armed:
          {pending.map(({ id, kind }) => (
            <Badge key={id} tone="warn">
              {labels[kind]}
            </Badge>
          ))}
          <Button act={() => withdraw(pending)} variant="quiet">
            Clear
          </Button>
        </p>
      )}
    </>
  );
}
