import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Field, Select } from './controls.tsx';
import { Empty, Loaded, Page } from './page.tsx';
import { listQuery, navigate, replaceQuery, useRoute, withQuery } from './route.ts';
import { useLoad } from './use-load.ts';

/** A row of filters. The URL holds their values. */
function Filters({ children }: { readonly children: ComponentChildren }) {
  return (
    <search class="filters" aria-label="Filters">
      {children}
    </search>
  );
}

/** The debounce time of text filters, in milliseconds. */
const rest = 200;

interface FilterProps {
  /** The parameter of the address. */
  readonly name: string;
  readonly label: string;
}

/** A text to search for. */
export function TextFilter({
  name,
  label,
  placeholder,
}: FilterProps & { readonly placeholder?: string | undefined }) {
  const { query } = useRoute();
  const current = query.get(name) ?? '';
  const [text, setText] = useState(current);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // Back and forward change the address, and with it the text.
  useEffect(() => setText(current), [current]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (value: string): void => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => replaceQuery({ [name]: value }), rest);
  };
  return <Field type="search" label={label} value={text} onInput={type} placeholder={placeholder} />;
}

interface SelectFilterProps extends FilterProps {
  readonly options: readonly (readonly [value: string, text: string])[];
  /** Another filter, whose values depend on this one. */
  readonly clears?: string;
}

/** A choice among some values, or all. */
export function SelectFilter({ name, label, options, clears }: SelectFilterProps) {
  const { query } = useRoute();
  const choose = (value: string): void =>
    navigate(withQuery({ ...(clears !== undefined && { [clears]: undefined }), [name]: value }));
  return (
    <Select
      label={label}
      value={query.get(name) ?? ''}
      onChange={choose}
      options={[['', 'All'], ...options]}
    />
  );
}

interface PagerProps {
  /** Where the next page begins: the id of the last row; `undefined` where there are no older rows. */
  readonly older: string | undefined;
}

/** Links to older rows, and back to the newest. */
function Pager({ older }: PagerProps) {
  const { query } = useRoute();
  if (older === undefined && !query.has('before')) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {query.has('before') && <a href={withQuery({ before: undefined })}>Newest</a>}
      {older !== undefined && <a href={withQuery({ before: older })}>Older</a>}
    </nav>
  );
}

/** A column of a table. */
export interface Column<T> {
  readonly name: string;
  /** Renders the cell. */
  readonly cell: (item: T) => ComponentChildren;
  /** Whether it holds numbers, which are aligned right. */
  readonly end?: boolean | undefined;
  /** Whether it is hidden below 64rem. Below 48rem each row is a card, which shows it. */
  readonly wide?: boolean | undefined;
  /** Whether it takes the remaining width. */
  readonly main?: boolean | undefined;
}

interface TableProps<T> {
  /** The accessible name, such as `Requests, newest first`. */
  readonly name: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** Returns the unique key of a row. */
  readonly keyOf: (item: T) => string | number;
  /** Returns the link of a row. One of its cells must have the same link, for the keyboard. */
  readonly hrefOf?: ((item: T) => string | undefined) | undefined;
}

function classOf<T>({ end, wide, main }: Column<T>): string | undefined {
  return [end && 'end', wide && 'wide', main && 'main'].filter(Boolean).join(' ') || undefined;
}

/** Whether a click belongs to a link, a button or a text selection, so that it does not open the row. */
function isOwnClick({ target }: Event): boolean {
  if (!(target instanceof Element) || target.closest('a, button') !== null) return false;
  return getSelection()?.isCollapsed !== false;
}

/** A table. On phones its rows become cards, so that nothing is clipped. */
export function Table<T>({ name, columns, rows, keyOf, hrefOf }: TableProps<T>) {
  return (
    <table aria-label={name}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.name} scope="col" class={classOf(column)}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((item) => {
          const href = hrefOf?.(item);
          return (
            <tr
              key={keyOf(item)}
              class={href === undefined ? undefined : 'opens'}
              onClick={(event) => href !== undefined && isOwnClick(event) && navigate(href)}
            >
              {columns.map((column) => (
                <td key={column.name} class={classOf(column)} data-name={column.name}>
                  <div>{column.cell(item)}</div>
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface ListPageProps<Answer, Row> {
  readonly title: string;
  /** What the list leaves out. */
  readonly note?: string;
  /** The noun of a row, for `No event matches the filter.` */
  readonly noun: string;
  readonly up?: { readonly href: string; readonly text: string } | undefined;
  /** The path of the list in the control API. */
  readonly path: string;
  /** Query parameters of every request, besides the filters. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** The URL parameters that are filters. */
  readonly filters: readonly string[];
  /** The filter fields. */
  readonly children: ComponentChildren;
  /** Returns the rows of a response, in their order. */
  readonly rowsOf: (answer: Answer) => readonly Row[];
  readonly idOf: (row: Row) => string;
  /** Draws the rows. */
  readonly draw: (rows: readonly Row[]) => ComponentChildren;
  /** The empty state. */
  readonly nothing: ComponentChildren;
}

/** A page of a list, as the sandbox answers. */
export interface Listed<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
}

/** A list page, with filters in the URL and links to older rows. */
export function ListPage<Answer extends { readonly has_more: boolean }, Row>(
  props: ListPageProps<Answer, Row>,
) {
  const { title, note, noun, up, path, fixed, filters, children, draw, idOf } = props;
  const { query } = useRoute();
  const { text, isFiltered } = listQuery(query, [...filters, 'before'], { limit: '50', ...fixed });
  const load = useLoad<Answer>(`${path}?${text}`);
  return (
    <Page title={title} badge={note !== undefined && <span class="soft">{note}</span>} up={up}>
      <Filters>{children}</Filters>
      <Loaded load={load}>
        {(answer) => {
          const rows = props.rowsOf(answer);
          const last = rows.at(-1);
          if (last === undefined)
            return isFiltered ? <Empty title={`No ${noun} matches the filter.`} /> : props.nothing;
          return (
            <>
              {draw(rows)}
              <Pager older={answer.has_more ? idOf(last) : undefined} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
