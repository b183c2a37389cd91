import type { SandboxDelivery } from '../domain/records/delivery.ts';
import type { SandboxEvent } from '../domain/records/records.ts';
import { DeliveryCard, Redeliver } from './delivery-card.tsx';
import { Json } from './kit/code.tsx';
import { Loaded, Page, Part } from './kit/page.tsx';
import { useLoad } from './kit/use-load.ts';
import { Facts, Id, Time } from './kit/values.tsx';
import { StoryLink } from './story.tsx';

interface EventAnswer {
  readonly event: SandboxEvent;
  readonly deliveries: readonly SandboxDelivery[];
}

const up = { href: '#/activity?kind=event', text: 'All events' };

function Detail({ event, deliveries }: EventAnswer) {
  const { id, created, api_version: version } = event;
  return (
    <>
      <Facts
        facts={[
          ['Event', <Id key="" id={id} href={null} />],
          ['Created (UTC)', <Time key="" at={Date.parse(created)} />],
          ['API version', version],
        ]}
      />
      <StoryLink id={id} />
      <Part title="Deliveries">
        {deliveries.length === 0 && <p class="soft">None: no endpoint subscribes to it.</p>}
        <div class="stack">
          {deliveries.map((delivery) => (
            <DeliveryCard key={delivery.id} delivery={delivery} deliveries={deliveries} />
          ))}
        </div>
      </Part>
      <Part title="Event">
        <Json value={event} />
      </Part>
    </>
  );
}

/** Shows an event with its deliveries and their attempts. */
export function EventPage({ id }: { readonly id: string }) {
  const load = useLoad<EventAnswer>(`events/${encodeURIComponent(id)}`);
  const type = load.data?.event.type;
  return (
    <Page title={type ?? id} actions={type !== undefined && <Redeliver id={id} what={type} />} up={up}>
      <Loaded load={load}>{(answer) => <Detail {...answer} />}</Loaded>
    </Page>
  );
}
