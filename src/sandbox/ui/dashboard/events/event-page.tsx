import type { SandboxDelivery } from '../../../domain/records/delivery.ts';
import type { SandboxEvent } from '../../../domain/records/event.ts';
import { DeliveryCard } from '../deliveries/delivery-card.tsx';
import { redeliver } from '../deliveries/redeliver.ts';
import { Button } from '../kit/button.tsx';
import { Json } from '../kit/json.tsx';
import { Loaded, Page, Part } from '../kit/page.tsx';
import { useLoad } from '../kit/use-load.ts';
import { Facts, Id, Time } from '../kit/values.tsx';
import { StoryLink } from '../stories/story-link.tsx';

interface EventAnswer {
  readonly event: SandboxEvent;
  readonly deliveries: readonly SandboxDelivery[];
}

const up = { href: '#/events', text: 'All events' };

function Detail({ event, deliveries }: EventAnswer) {
  const { id, created, api_version: version } = event;
  return (
    <>
      <Facts
        facts={[
          ['Event', <Id key="" id={id} href={null} />],
          ['Created', <Time key="" at={Date.parse(created)} />],
          ['API version', version],
        ]}
      />
      <StoryLink id={id} />
      <Part title="Deliveries">
        {deliveries.length === 0 && <p class="soft">None: no endpoint subscribes to it.</p>}
        <div class="stack">
          {deliveries.map((delivery) => (
            <DeliveryCard key={delivery.id} delivery={delivery} />
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
  return (
    <Page
      title={load.data?.event.type ?? id}
      actions={<Button act={() => redeliver(id)}>Redeliver</Button>}
      up={up}
    >
      <Loaded load={load}>{(answer) => <Detail {...answer} />}</Loaded>
    </Page>
  );
}
