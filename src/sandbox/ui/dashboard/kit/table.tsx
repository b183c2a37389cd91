import type { ComponentChildren } from 'preact';
import { navigate } from './route.ts';

/** A column of a table. */
export interface Column<T> {
  readonly name: string;
  /** What stands in it. */
  readonly cell: (item: T) => ComponentChildren;
  /** Whether it holds numbers, which stand at its end. */
  readonly end?: boolean | undefined;
  /** Whether it is left out below 64rem. Below 48rem each row is a card, which has it. */
  readonly wide?: boolean | undefined;
  /** Whether it takes the room that is left. */
  readonly main?: boolean | undefined;
}

interface TableProps<T> {
  /** What a screen reader calls it, such as `Requests, newest first`. */
  readonly name: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** Tells a row from all others. */
  readonly keyOf: (item: T) => string | number;
  /** What a click on a row opens. One of its cells must have the same link, for the keyboard. */
  readonly hrefOf?: ((item: T) => string | undefined) | undefined;
}

function classOf<T>({ end, wide, main }: Column<T>): string | undefined {
  return [end && 'end', wide && 'wide', main && 'main'].filter(Boolean).join(' ') || undefined;
}

/** Links and buttons in a row act themselves, and selecting a text opens nothing. */
function isOwnClick({ target }: Event): boolean {
  if (!(target instanceof Element) || target.closest('a, button') !== null) return false;
  return getSelection()?.isCollapsed !== false;
}

/** A table. Its rows become cards on phones, so that nothing is clipped. */
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
