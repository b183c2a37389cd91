import type { RecordedRequest } from '../../../stories/entry.ts';
import { Marks } from '../entries/marks.tsx';
import { Breakable } from '../kit/breakable.tsx';
import { Filters, Pager, SelectFilter, TextFilter } from '../kit/filters.tsx';
import { Empty, Loaded, Page } from '../kit/page.tsx';
import { pageData } from '../kit/page-data.ts';
import { hrefOf, listQuery } from '../kit/route.ts';
import type { SectionProps } from '../kit/section-props.ts';
import { type Column, Table } from '../kit/table.tsx';
import { useLoad } from '../kit/use-load.ts';
import { Status, Time } from '../kit/values.tsx';
import { RequestPage } from './request-page.tsx';

interface Entries {
  readonly data: readonly RecordedRequest[];
  readonly has_more: boolean;
}

const filters = ['q', 'status', 'operation', 'source', 'before'];
const statuses = [
  ['', 'All'],
  ['2xx', '2xx'],
  ['4xx', '4xx'],
  ['5xx', '5xx'],
  ['none', 'No reply'],
] as const;
const sources = [
  ['', 'All'],
  ['app', 'Your app'],
  ['buyer', 'Buyer'],
  ['dashboard', 'Dashboard'],
] as const;
const operations = [['', 'All'], ...pageData.operations.map((name) => [name, name] as const)] as const;

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
    name: 'Took',
    end: true,
    wide: true,
    cell: ({ duration }) => `${Math.max(1, Math.round(duration))} ms`,
  },
];

function List({ data, has_more: hasMore, isFiltered }: Entries & { readonly isFiltered: boolean }) {
  if (data.length === 0) {
    return (
      <Empty title={isFiltered ? 'No request fits the filter.' : 'No request yet.'}>
        {!isFiltered && <p>Requests of your app and of buyers show up here as they are answered.</p>}
      </Empty>
    );
  }
  return (
    <>
      <Table
        name="Requests, newest first"
        columns={columns}
        rows={data}
        keyOf={({ number }) => number}
        hrefOf={hrefOfRequest}
      />
      <Pager older={hasMore ? String(data.at(-1)?.number) : undefined} />
    </>
  );
}

function RequestList({ query }: { readonly query: URLSearchParams }) {
  const { text, isFiltered } = listQuery(query, filters, { kind: 'request', limit: '50' });
  const load = useLoad<Entries>(`entries?${text}`);
  return (
    <Page title="Requests">
      <Filters>
        <TextFilter name="q" label="Search" placeholder="path, key, operation id" />
        <SelectFilter name="status" label="Status" options={statuses} />
        <SelectFilter name="operation" label="Operation" options={operations} />
        <SelectFilter name="source" label="Sent by" options={sources} />
      </Filters>
      <Loaded load={load}>{(entries) => <List {...entries} isFiltered={isFiltered} />}</Loaded>
    </Page>
  );
}

/** All requests, newest first, or one of them. */
export function Requests({ path: [number], query }: SectionProps) {
  return number === undefined ? <RequestList query={query} /> : <RequestPage number={number} />;
}
