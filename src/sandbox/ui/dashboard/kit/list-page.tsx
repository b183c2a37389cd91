import type { ComponentChildren } from 'preact';
import { Filters, Pager } from './filters.tsx';
import { Empty, Loaded, Page } from './page.tsx';
import { listQuery, useRoute } from './route.ts';
import { type Column, Table } from './table.tsx';
import { useLoad } from './use-load.ts';

interface ListPageProps<Answer, Row> {
  readonly title: string;
  /** The noun of a row, for `No event matches the filter.` */
  readonly noun: string;
  readonly up?: { readonly href: string; readonly text: string } | undefined;
  /** The path of the list in the control API. */
  readonly path: string;
  /** Query parameters of every request, besides the filters. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** The URL parameters that are filters. */
  readonly filters: readonly string[];
  /** The URL parameter of the cursor. Default: `before`. */
  readonly cursor?: string;
  /** The filter fields. */
  readonly children: ComponentChildren;
  readonly columns: readonly Column<Row>[];
  /** Returns the rows of a response, newest first. */
  readonly rowsOf: (answer: Answer) => readonly Row[];
  readonly idOf: (row: Row) => string;
  readonly hrefOf: (row: Row) => string;
  /** The empty state. */
  readonly nothing: ComponentChildren;
}

/** A list page, newest first, with filters in the URL and links to older rows. */
export function ListPage<Answer extends { readonly has_more: boolean }, Row>(
  props: ListPageProps<Answer, Row>,
) {
  const { title, noun, up, path, fixed, filters, cursor = 'before', children, columns, idOf, hrefOf } = props;
  const { query } = useRoute();
  const { text, isFiltered } = listQuery(query, [...filters, cursor], { limit: '50', ...fixed });
  const load = useLoad<Answer>(`${path}?${text}`);
  return (
    <Page title={title} up={up}>
      <Filters>{children}</Filters>
      <Loaded load={load}>
        {(answer) => {
          const rows = props.rowsOf(answer);
          const last = rows.at(-1);
          if (last === undefined)
            return isFiltered ? <Empty title={`No ${noun} matches the filter.`} /> : props.nothing;
          return (
            <>
              <Table
                name={`${title}, newest first`}
                columns={columns}
                rows={rows}
                keyOf={idOf}
                hrefOf={hrefOf}
              />
              <Pager older={answer.has_more ? idOf(last) : undefined} name={cursor} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
