import type { RecordedRequest } from '../../../stories/entry.ts';
import { Marks } from '../entries/marks.tsx';
import { Breakable } from '../kit/breakable.tsx';
import { SelectFilter, TextFilter } from '../kit/filters.tsx';
import { ListPage } from '../kit/list-page.tsx';
import { Empty } from '../kit/page.tsx';
import { pageData } from '../kit/page-data.ts';
import { hrefOf } from '../kit/route.ts';
import type { SectionProps } from '../kit/section-props.ts';
import type { Column } from '../kit/table.tsx';
import { Status, Time } from '../kit/values.tsx';
import { RequestPage } from './request-page.tsx';

interface Entries {
  readonly data: readonly RecordedRequest[];
  readonly has_more: boolean;
}

const statuses = [
  ['2xx', '2xx'],
  ['4xx', '4xx'],
  ['5xx', '5xx'],
  ['none', 'No reply'],
] as const;
const sources = [
  ['app', 'Your app'],
  ['buyer', 'Buyer'],
  ['dashboard', 'Dashboard'],
] as const;
const operations = pageData.operations.map((name) => [name, name] as const);

function hrefOfRequest({ number }: RecordedRequest): string {
  return hrefOf(['requests', String(number)]);
}

const columns: readonly Column<RecordedRequest>[] = [
  { name: 'Time', cell: ({ at }) => <Time at={at} /> },
  {
    name: 'Request',
    main: true,
    cell: (request) => (
      <a class="request" href={hrefOfRequest(request)}>
        <b>{request.method}</b> <Breakable text={request.path} />
      </a>
    ),
  },
  { name: 'Operation', cell: ({ operation }) => operation },
  { name: 'Operation id', cell: ({ operationId }) => operationId !== null && <code>{operationId}</code> },
  { name: 'Status', cell: ({ reply }) => <Status status={reply?.status ?? null} /> },
  { name: 'Marks', cell: (request) => <Marks request={request} /> },
  {
    name: 'Duration',
    end: true,
    wide: true,
    cell: ({ duration }) => `${Math.max(1, Math.round(duration))} ms`,
  },
];

const nothing = (
  <Empty title="No requests yet.">
    <p>Requests of your app and of buyers appear here.</p>
  </Empty>
);

/** Lists all requests, newest first, or shows one. */
export function Requests({ path: [number] }: SectionProps) {
  if (number !== undefined) return <RequestPage number={number} />;
  return (
    <ListPage<Entries, RecordedRequest>
      title="Requests"
      noun="request"
      path="entries"
      fixed={{ kind: 'request' }}
      filters={['q', 'status', 'operation', 'source']}
      columns={columns}
      rowsOf={({ data }) => data}
      idOf={({ number }) => String(number)}
      hrefOf={hrefOfRequest}
      nothing={nothing}
    >
      <TextFilter name="q" label="Search" placeholder="path, key, operation id" />
      <SelectFilter name="status" label="Status" options={statuses} />
      <SelectFilter name="operation" label="Operation" options={operations} />
      <SelectFilter name="source" label="Sent by" options={sources} />
    </ListPage>
  );
}
