import type { DeliveryAttempt, DeliveryStatus, SandboxDelivery } from '../domain/records/delivery.ts';
import { Headers } from './entry-detail.tsx';
import { Body } from './kit/code.tsx';
import { CommandButton } from './kit/commands.tsx';
import { Badge, dateText, Status, Time, toneOfState, words } from './kit/values.tsx';

/** Returns the status of a delivery in words. */
export function statusText(status: DeliveryStatus): string {
  return status === 'failed' ? 'given up' : status;
}

/** Shows the status of a delivery and the result of its last attempt: `pending: 500 (2 attempts)`. */
export function DeliveryResult({ delivery: { status, attempts } }: { readonly delivery: SandboxDelivery }) {
  const last = attempts.at(-1);
  const result = last === undefined ? '' : `: ${last.status ?? last.error}`;
  const count = attempts.length > 1 ? ` (${attempts.length} attempts)` : '';
  return (
    <Badge tone={toneOfState(status)}>
      {statusText(status)}
      {result}
      {count}
    </Badge>
  );
}

interface DeliveryProps {
  readonly delivery: SandboxDelivery;
  /** All deliveries of its event, oldest first. */
  readonly deliveries: readonly SandboxDelivery[];
}

/** Whether a fault made the delivery as a copy of an earlier one. */
function isDuplicate({
  delivery: { id, endpointId, eventId, replayed },
  deliveries,
}: DeliveryProps): boolean {
  const original = deliveries.find((one) => one.endpointId === endpointId && one.eventId === eventId);
  return !replayed && original !== undefined && original.id !== id;
}

/** Shows whether a delivery is a replay or a duplicate, was changed by a fault, or is held. */
export function DeliveryMarks(props: DeliveryProps) {
  const { replayed, tampering, held } = props.delivery;
  return (
    <>
      {replayed && <Badge tone="info">replayed</Badge>}
      {isDuplicate(props) && <Badge tone="warn">duplicate</Badge>}
      {tampering !== null && <Badge tone="warn">{words(tampering)}</Badge>}
      {held && <Badge tone="warn">held for reordering</Badge>}
    </>
  );
}

/** A button that redelivers an event to all its endpoints, or a delivery to its endpoint. */
export function Redeliver({ id, what }: { readonly id: string; readonly what: string }) {
  return (
    <CommandButton name="webhooks.replay" args={{ id }} label={`Redeliver ${what}`}>
      Redeliver
    </CommandButton>
  );
}

function Attempt({ attempt }: { readonly attempt: DeliveryAttempt }) {
  const { at, status, error, responseText, headers } = attempt;
  return (
    <li>
      <p class="line">
        <Time at={at} />
        <Status status={status} />
        {error !== null && <span>{error}</span>}
      </p>
      <Headers headers={headers} />
      {responseText !== '' && <Body text={responseText} name="response" />}
    </li>
  );
}

/** Shows a delivery with its attempts. */
export function DeliveryCard({ delivery, deliveries }: DeliveryProps) {
  const { id, url, status, dueAt, attempts } = delivery;
  return (
    <section class="card" aria-label={`Delivery to ${url}`}>
      <p class="line">
        <code>{url}</code>
        <DeliveryResult delivery={delivery} />
        <DeliveryMarks delivery={delivery} deliveries={deliveries} />
      </p>
      {status === 'pending' && dueAt !== null && <p class="soft">Next attempt: {dateText(dueAt)}</p>}
      <ol class="attempts" aria-label="Attempts">
        {attempts.map((attempt, index) => (
          <Attempt key={index} attempt={attempt} />
        ))}
      </ol>
      <div class="actions">
        <Redeliver id={id} what={`to ${url}`} />
      </div>
    </section>
  );
}
