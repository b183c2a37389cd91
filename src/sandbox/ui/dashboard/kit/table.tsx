import type { ComponentChildren } from 'preact';
import { navigate } from './route.ts';

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
