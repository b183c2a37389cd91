import type { SandboxDelivery } from '../../../domain/records/delivery.ts';
import type { SandboxEvent } from '../../../domain/records/event.ts';
import { DeliveryResult } from '../deliveries/delivery-result.tsx';
import { Breakable } from '../kit/breakable.tsx';
import { SelectFilter, TextFilter } from '../kit/filters.tsx';
import { ListPage } from '../kit/list-page.tsx';
import { Empty } from '../kit/page.tsx';
import { pageData } from '../kit/page-data.ts';
import { hrefOf } from '../kit/route.ts';
import type { SectionProps } from '../kit/section-props.ts';
import type { Column } from '../kit/table.tsx';
import { Badge, Id, Time } from '../kit/values.tsx';
import { EventPage } from './event-page.tsx';

interface Answer {
  /** Newest last. */
  readonly data: readonly SandboxEvent[];
  /** The deliveries of these events. */
  readonly deliveries: readonly SandboxDelivery[];
  readonly has_more: boolean;
}

interface Row {
  readonly event: SandboxEvent;
  readonly deliveries: readonly SandboxDelivery[];
}

const types = pageData.types.map((name) => [name, name] as const);

function hrefOfRow({ event }: Row): string {
  return hrefOf(['events', event.id]);
}

/** Links the object of an event. A chargeback has no id. */
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

function rowsOf({ data, deliveries }: Answer): readonly Row[] {
  return data
    .map((event) => ({ event, deliveries: deliveries.filter(({ eventId }) => eventId === event.id) }))
    .toReversed();
}

const nothing = (
  <Empty title="No events yet.">
    <p>
      Events appear when your app changes objects, or <a href="#/tools">trigger one</a>.
    </p>
  </Empty>
);

/** Lists all events, newest first, or shows one. */
export function Events({ path: [id] }: SectionProps) {
  if (id !== undefined) return <EventPage id={id} />;
  return (
    <ListPage<Answer, Row>
      title="Events"
      noun="event"
      path="events"
      fixed={{ deliveries: '' }}
      filters={['q', 'type']}
      columns={columns}
      rowsOf={rowsOf}
      idOf={({ event }) => event.id}
      hrefOf={hrefOfRow}
      nothing={nothing}
    >
      <TextFilter name="q" label="Search" placeholder="id, type, object" />
      <SelectFilter name="type" label="Type" options={types} />
    </ListPage>
  );
}
