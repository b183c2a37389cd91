import { el, scrolling } from './element.ts';
import { List } from './list.ts';

/** A column of a table. */
export interface Column {
  readonly name: string;
  /** Whether it is left out where there is little room. */
  readonly wide?: boolean;
  /** Whether it holds numbers, which stand at its end. */
  readonly end?: boolean;
}

/** What a table shows. */
export interface TableParts<T> {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Tells a row, as it is shown, from all others. */
  readonly keyOf: (item: T) => string;
  /** What stands in its columns. */
  readonly cellsOf: (item: T) => readonly (Node | string)[];
  /** Writes into a row what may change under the same key. Default: nothing may. */
  readonly refresh?: (row: HTMLElement, item: T) => void;
}

function classOf({ wide, end }: Column): string {
  return [wide ? 'wide' : '', end ? 'end' : ''].join(' ').trim();
}

function headOf(columns: readonly Column[]): HTMLElement {
  const cells = columns.map((column) => el('th', { scope: 'col', className: classOf(column) }, column.name));
  return el('thead', {}, el('tr', {}, ...cells));
}

/** A table whose rows come and go. */
export class Table<T> {
  readonly element: HTMLElement;
  readonly #region: HTMLElement;
  readonly #nothing = el('p', { className: 'soft', hidden: true });
  readonly #rows: List<T>;

  constructor({ name, columns, keyOf, cellsOf, ...rest }: TableParts<T>) {
    const body = el('tbody');
    const build = (item: T) => {
      const cells = cellsOf(item);
      return el(
        'tr',
        {},
        ...columns.map((column, index) => el('td', { className: classOf(column) }, cells[index] ?? '')),
      );
    };
    this.#rows = new List(body, { keyOf, build, ...rest });
    this.#region = scrolling(name, el('table', { ariaLabel: name }, headOf(columns), body));
    this.#region.hidden = true;
    this.element = el('div', {}, this.#nothing, this.#region);
  }

  /** Shows a row for each item, or says why there is none. */
  show(items: readonly T[], nothing: string): void {
    this.#rows.show(items);
    this.#nothing.textContent = nothing;
    this.#nothing.hidden = items.length > 0;
    this.#region.hidden = items.length === 0;
  }
}
