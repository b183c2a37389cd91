import type { DeliveryAttempt, SandboxDelivery } from '../../../domain/records/delivery.ts';
import { Headers } from '../entries/headers.tsx';
import { Button } from '../kit/button.tsx';
import { dateText } from '../kit/format.ts';
import { Body } from '../kit/json.tsx';
import { Status, Time } from '../kit/values.tsx';
import { DeliveryMarks, DeliveryResult } from './delivery-result.tsx';
import { redeliver } from './redeliver.ts';

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
export function DeliveryCard({ delivery }: { readonly delivery: SandboxDelivery }) {
  const { id, url, status, dueAt, attempts } = delivery;
  return (
    <section class="card" aria-label={`Delivery to ${url}`}>
      <p class="line">
        <code>{url}</code>
        <DeliveryResult delivery={delivery} />
        <DeliveryMarks delivery={delivery} />
      </p>
      {status === 'pending' && dueAt !== null && <p class="soft">Next attempt: {dateText(dueAt)}</p>}
      <ol class="attempts" aria-label="Attempts">
        {attempts.map((attempt, index) => (
          <Attempt key={index} attempt={attempt} />
        ))}
      </ol>
      <div class="actions">
        <Button act={() => redeliver(id)}>Redeliver to this endpoint</Button>
      </div>
    </section>
  );
}
