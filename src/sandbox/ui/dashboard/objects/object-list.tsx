import { Filters, Pager, TextFilter } from '../kit/filters.tsx';
import { heading, words } from '../kit/format.ts';
import { Empty, Loaded, Page } from '../kit/page.tsx';
import { hrefOf, listQuery, type Route } from '../kit/route.ts';
import { type Column, Table } from '../kit/table.tsx';
import { useLoad } from '../kit/use-load.ts';
import { Badge, Id } from '../kit/values.tsx';
import { columnsOf } from './columns.tsx';
import type { Item } from './item.ts';
import { StateFilter } from './state-filter.tsx';

interface Objects {
  readonly data: readonly Item[];
  readonly has_more: boolean;
}

const filters = ['q', 'state', 'starting_after'];

/** Returns the columns of a list: the id, and what tells objects of this kind from each other. */
function columnsWithId(kind: string): readonly Column<Item>[] {
  const id: Column<Item> = {
    name: 'Id',
    main: true,
    cell: (item) => (
      <span class="line">
        <Id id={item.id} href={hrefOf(['objects', kind, item.id])} />
        {item['deleted'] === true && <Badge mood="bad">deleted</Badge>}
      </span>
    ),
  };
  return [id, ...(columnsOf(kind) ?? [])];
}

interface ListProps extends Objects {
  readonly kind: string;
  readonly isFiltered: boolean;
}

function List({ data, has_more: hasMore, kind, isFiltered }: ListProps) {
  if (data.length === 0) {
    return <Empty title={isFiltered ? 'No object fits the filter.' : `There is no ${words(kind)} yet.`} />;
  }
  return (
    <>
      <Table
        name={`${heading(kind)}, newest first`}
        columns={columnsWithId(kind)}
        rows={data}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => hrefOf(['objects', kind, id])}
      />
      <Pager older={hasMore ? data.at(-1)?.id : undefined} name="starting_after" />
    </>
  );
}

/** The objects of a kind, newest first. */
export function ObjectList({ kind, query }: { readonly kind: string; readonly query: Route['query'] }) {
  const { text, isFiltered } = listQuery(query, filters, { kind, limit: '50' });
  const load = useLoad<Objects>(`objects?${text}`);
  return (
    <Page title={heading(kind)} up={{ href: '#/objects', text: 'All kinds' }}>
      <Filters>
        <TextFilter name="q" label="Search" placeholder="id, e-mail, name, amount" />
        <StateFilter kind={kind} />
      </Filters>
      <Loaded load={load}>{(objects) => <List {...objects} kind={kind} isFiltered={isFiltered} />}</Loaded>
    </Page>
  );
}
