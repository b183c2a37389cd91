import type { EndpointSummary } from '../../../control/endpoint-summary.ts';
import type { SandboxDelivery } from '../../../domain/records/delivery.ts';
import { Breakable } from '../kit/breakable.tsx';
import { Button } from '../kit/button.tsx';
import { SelectFilter, TextFilter } from '../kit/filters.tsx';
import { ListPage } from '../kit/list-page.tsx';
import { Empty } from '../kit/page.tsx';
import { hrefOf } from '../kit/route.ts';
import type { Column } from '../kit/table.tsx';
import { useLoad } from '../kit/use-load.ts';
import { Time } from '../kit/values.tsx';
import { DeliveryMarks, DeliveryResult } from './delivery-result.tsx';
import { redeliver } from './redeliver.ts';

interface Answer {
  /** Newest last. */
  readonly data: readonly SandboxDelivery[];
  readonly has_more: boolean;
}

const statuses = [
  ['failing', 'Failing'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['failed', 'Given up'],
  ['canceled', 'Canceled'],
  ['dropped', 'Dropped by a fault'],
] as const;

function hrefOfEvent({ eventId }: SandboxDelivery): string {
  return hrefOf(['events', eventId]);
}

function When({ delivery: { attempts, dueAt } }: { readonly delivery: SandboxDelivery }) {
  const at = attempts.at(-1)?.at ?? dueAt;
  return at === null ? null : <Time at={at} />;
}

const columns: readonly Column<SandboxDelivery>[] = [
  { name: 'Last attempt', cell: (delivery) => <When delivery={delivery} /> },
  {
    name: 'Event',
    cell: (delivery) => (
      <a href={hrefOfEvent(delivery)}>
        <Breakable text={delivery.type} />
      </a>
    ),
  },
  { name: 'Endpoint', main: true, cell: ({ url }) => <code>{url}</code> },
  {
    name: 'Result',
    cell: (delivery) => (
      <span class="line">
        <DeliveryResult delivery={delivery} />
        <DeliveryMarks delivery={delivery} />
      </span>
    ),
  },
  {
    name: 'Next attempt',
    wide: true,
    cell: ({ status, dueAt }) => status === 'pending' && dueAt !== null && <Time at={dueAt} />,
  },
  {
    name: 'Action',
    cell: ({ id, type }) => (
      <Button act={() => redeliver(id)} variant="quiet" label={`Redeliver: ${type}`}>
        Redeliver
      </Button>
    ),
  },
];

/** Lists all deliveries of events to endpoints, newest first. */
export function Deliveries() {
  const { data: endpoints } = useLoad<{ data: readonly EndpointSummary[] }>('endpoints');
  const targets = (endpoints?.data ?? []).map(({ id, url }) => [id, url] as const);
  return (
    <ListPage<Answer, SandboxDelivery>
      title="Deliveries"
      noun="delivery"
      path="deliveries"
      filters={['status', 'endpoint', 'event']}
      columns={columns}
      rowsOf={({ data }) => data.toReversed()}
      idOf={({ id }) => id}
      hrefOf={hrefOfEvent}
      nothing={
        <Empty title="No deliveries yet.">
          <p>
            Add an <a href="#/endpoints">endpoint</a>; the next event is delivered to it.
          </p>
        </Empty>
      }
    >
      <SelectFilter name="status" label="Status" options={statuses} />
      <SelectFilter name="endpoint" label="Endpoint" options={targets} />
      <TextFilter name="event" label="Event id" placeholder="evt_…" />
    </ListPage>
  );
}
