import type { EndpointSummary } from '../../../control/endpoint-summary.ts';
import type { SandboxDelivery } from '../../../domain/records/delivery.ts';
import { Breakable } from '../kit/breakable.tsx';
import { Button } from '../kit/button.tsx';
import { Filters, Pager, SelectFilter, TextFilter } from '../kit/filters.tsx';
import { Empty, Loaded, Page } from '../kit/page.tsx';
import { hrefOf, listQuery, type Route } from '../kit/route.ts';
import { type Column, Table } from '../kit/table.tsx';
import { useLoad } from '../kit/use-load.ts';
import { Time } from '../kit/values.tsx';
import { DeliveryMarks, DeliveryResult } from './delivery-result.tsx';
import { redeliver } from './redeliver.ts';

interface Deliveries {
  /** Newest last. */
  readonly data: readonly SandboxDelivery[];
  readonly has_more: boolean;
}

const filters = ['status', 'endpoint', 'event', 'before'];
const statuses = [
  ['', 'All'],
  ['failing', 'Failing now'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['failed', 'Given up'],
  ['canceled', 'Canceled'],
  ['dropped', 'Dropped on purpose'],
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
      <Button act={() => redeliver(id)} look="quiet" label={`Deliver again: ${type}`}>
        Deliver again
      </Button>
    ),
  },
];

function List({ data, has_more: hasMore, isFiltered }: Deliveries & { readonly isFiltered: boolean }) {
  if (data.length === 0) {
    return isFiltered ? (
      <Empty title="No delivery fits the filter." />
    ) : (
      <Empty title="No delivery yet.">
        <p>
          Add an <a href="#/endpoints">endpoint</a>; the next event is delivered to it.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <Table
        name="Deliveries, newest first"
        columns={columns}
        rows={data.toReversed()}
        keyOf={({ id }) => id}
        hrefOf={hrefOfEvent}
      />
      <Pager older={hasMore ? data[0]?.id : undefined} />
    </>
  );
}

/** All deliveries of events to endpoints, newest first. */
export function Deliveries({ query }: Route) {
  const { text, isFiltered } = listQuery(query, filters, { limit: '50' });
  const load = useLoad<Deliveries>(`deliveries?${text}`);
  const { data: endpoints } = useLoad<{ data: readonly EndpointSummary[] }>('endpoints');
  const targets = (endpoints?.data ?? []).map(({ id, url }) => [id, url] as const);
  return (
    <Page title="Deliveries">
      <Filters>
        <SelectFilter name="status" label="Status" options={statuses} />
        <SelectFilter name="endpoint" label="Endpoint" options={[['', 'All'], ...targets]} />
        <TextFilter name="event" label="Event id" placeholder="evt_…" />
      </Filters>
      <Loaded load={load}>{(deliveries) => <List {...deliveries} isFiltered={isFiltered} />}</Loaded>
    </Page>
  );
}
