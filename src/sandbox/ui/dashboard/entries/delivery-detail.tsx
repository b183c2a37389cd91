import type { RecordedDelivery } from '../../../stories/entry.ts';
import { Body } from '../kit/json.tsx';
import { Facts, Id, State, Status } from '../kit/values.tsx';
import { ForkButton } from './fork-button.tsx';
import { Headers } from './headers.tsx';

/** Shows a delivery attempt: the signed request, and the endpoint's response. */
export function DeliveryDetail({ delivery }: { readonly delivery: RecordedDelivery }) {
  const { url, event, deliveryId, attempt, status, request, responseStatus, error, responseText } = delivery;
  return (
    <div class="detail">
      <Facts
        facts={[
          ['Event', <Id key="" id={event.id} />],
          ['Delivery', <Id key="" id={deliveryId} href={`#/deliveries?event=${event.id}`} />],
          ['Attempt', attempt],
          ['Status', <State key="" state={status} />],
        ]}
      />
      <div class="sides">
        <section>
          <h4>Sent</h4>
          <p class="line">
            <code>
              <b>POST</b> {url}
            </code>
          </p>
          <Headers headers={request.headers} />
          <Body text={request.body} name="delivery" />
        </section>
        <section>
          <h4>Response</h4>
          <p class="line">
            <Status status={responseStatus} />
          </p>
          {error === null ? <Body text={responseText} name="response" /> : <p>{error}</p>}
        </section>
      </div>
      <div class="actions">
        <ForkButton number={delivery.number} />
      </div>
    </div>
  );
}
