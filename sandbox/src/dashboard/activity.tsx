import { entryKinds } from '../control/entry-kind.ts';
import type { ListedEntries } from '../control/entry-routes.ts';
import { columns, type EntryRow, hrefOfRow, rowsOf } from './entry-columns.tsx';
import { EntryPage } from './entry-page.tsx';
import { EventPage } from './event-page.tsx';
import { pageData } from './kit/api.ts';
import { ListPage, SelectFilter, Table, TextFilter } from './kit/list.tsx';
import { Empty } from './kit/page.tsx';
import type { SectionProps } from './kit/route.ts';
import { heading } from './kit/values.tsx';

const kinds = entryKinds.map((kind) => [kind, heading(kind)] as const);

const statuses = [
  ['2xx', '2xx'],
  ['3xx', '3xx'],
  ['4xx', '4xx'],
  ['5xx', '5xx'],
  ['none', 'No reply'],
  ['failing', 'Failing deliveries'],
  ['fault', 'Hit by a fault'],
] as const;

const operations = ['Operation', pageData.operations] as const;
const eventTypes = ['Event type', pageData.types] as const;

/** What the kinds with many types are filtered by. */
const typesByKind: Readonly<Record<string, readonly [label: string, types: readonly string[]]>> = {
  request: operations,
  event: eventTypes,
  delivery: eventTypes,
};

const nothing = (
  <Empty title="Nothing has happened yet.">
    <p>
      Requests, events and deliveries appear here. Send a request, or <a href="#/tools">trigger an event</a>.
    </p>
  </Empty>
);

/** Lists all that happened, newest first. */
function ActivityList({ kind }: { readonly kind: string | null }) {
  const [label, types] = typesByKind[kind ?? ''] ?? [];
  return (
    <ListPage<ListedEntries, EntryRow>
      title="Activity"
      note="The newest 4,000 since the sandbox started."
      noun="activity"
      path="entries"
      filters={['q', 'kind', 'status', 'type']}
      rowsOf={({ data, deliveries }) => rowsOf(data, deliveries)}
      idOf={({ entry }) => String(entry.number)}
      draw={(rows) => (
        <Table
          name="Activity, newest first"
          columns={columns}
          rows={rows}
          keyOf={({ entry }) => entry.number}
          hrefOf={hrefOfRow}
        />
      )}
      nothing={nothing}
    >
      <TextFilter name="q" label="Search" placeholder="path, key, id, type, address" />
      <SelectFilter name="kind" label="Kind" options={kinds} clears="type" />
      <SelectFilter name="status" label="Status" options={statuses} />
      {label !== undefined && types !== undefined && (
        <SelectFilter name="type" label={label} options={types.map((type) => [type, type] as const)} />
      )}
    </ListPage>
  );
}

/** Lists all that happened, or shows an event by its id or another entry by its number. */
export function Activity({ path: [id], query }: SectionProps) {
  if (id === undefined) return <ActivityList kind={query.get('kind')} />;
  return /^\d+$/.test(id) ? <EntryPage number={id} /> : <EventPage id={id} />;
}
