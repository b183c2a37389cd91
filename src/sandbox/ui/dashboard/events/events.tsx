import type { SandboxDelivery } from '../../../domain/records/delivery.ts';
import type { SandboxEvent } from '../../../domain/records/event.ts';
import { DeliveryResult } from '../deliveries/delivery-result.tsx';
import { Breakable } from '../kit/breakable.tsx';
import { Filters, Pager, SelectFilter, TextFilter } from '../kit/filters.tsx';
import { Empty, Loaded, Page } from '../kit/page.tsx';
import { pageData } from '../kit/page-data.ts';
import { hrefOf, listQuery, type Route } from '../kit/route.ts';
import { type Column, Table } from '../kit/table.tsx';
import { useLoad } from '../kit/use-load.ts';
import { Badge, Id, Time } from '../kit/values.tsx';
import { EventPage } from './event-page.tsx';

interface Events {
  /** Newest last. */
  readonly data: readonly SandboxEvent[];
  /** Those of these events. */
  readonly deliveries: readonly SandboxDelivery[];
  readonly has_more: boolean;
}

interface Row {
  readonly event: SandboxEvent;
  readonly deliveries: readonly SandboxDelivery[];
}

const filters = ['q', 'type', 'before'];
const types = [['', 'All'], ...pageData.types.map((name) => [name, name] as const)] as const;

function hrefOfRow({ event }: Row): string {
  return hrefOf(['events', event.id]);
}

/** What an event is about. A chargeback has no id. */
function Subject({ event: { data } }: Row) {
  const id: unknown = Reflect.get(data.object, 'id');
  return typeof id === 'string' ? <Id id={id} copy={false} /> : null;
}

function Results({ deliveries }: Row) {
  if (deliveries.length === 0) return <Badge>no endpoint</Badge>;
  return (
    <span class="line">
      {deliveries.map((delivery) => (
        <DeliveryResult key={delivery.id} delivery={delivery} />
      ))}
    </span>
  );
}

const columns: readonly Column<Row>[] = [
  { name: 'Time', cell: ({ event }) => <Time at={Date.parse(event.created)} /> },
  {
    name: 'Event',
    main: true,
    cell: (row) => (
      <a href={hrefOfRow(row)}>
        <Breakable text={row.event.type} />
      </a>
    ),
  },
  { name: 'Object', cell: Subject },
  { name: 'Deliveries', cell: Results },
];

function rowsOf({ data, deliveries }: Events): readonly Row[] {
  return data
    .map((event) => ({ event, deliveries: deliveries.filter(({ eventId }) => eventId === event.id) }))
    .toReversed();
}

function List({ isFiltered, ...events }: Events & { readonly isFiltered: boolean }) {
  if (events.data.length === 0) {
    return isFiltered ? (
      <Empty title="No event fits the filter." />
    ) : (
      <Empty title="No event yet.">
        <p>
          Events show up as your app changes objects, or <a href="#/tools">trigger one</a>.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <Table
        name="Events, newest first"
        columns={columns}
        rows={rowsOf(events)}
        keyOf={({ event }) => event.id}
        hrefOf={hrefOfRow}
      />
      <Pager older={events.has_more ? events.data[0]?.id : undefined} />
    </>
  );
}

function EventList({ query }: { readonly query: URLSearchParams }) {
  const { text, isFiltered } = listQuery(query, filters, { limit: '50' });
  const load = useLoad<Events>(`events?${text}`);
  return (
    <Page title="Events">
      <Filters>
        <TextFilter name="q" label="Search" placeholder="id, type, object" />
        <SelectFilter name="type" label="Type" options={types} />
      </Filters>
      <Loaded load={load}>{(events) => <List {...events} isFiltered={isFiltered} />}</Loaded>
    </Page>
  );
}

/** All events, newest first, or one of them. */
export function Events({ path: [id], query }: Route) {
  return id === undefined ? <EventList query={query} /> : <EventPage id={id} />;
}
