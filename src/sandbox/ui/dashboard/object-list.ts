import type { Activity } from '../../control/activity.ts';
import { get } from './api.ts';
import { badge, el } from './element.ts';
import { dateOf, heading, words } from './format.ts';
import { amountOf, createdOf, type Item, stateOf } from './item.ts';
import { fail } from './show-problem.ts';
import { Table } from './table.ts';
import { oncePerFrame, oneAtATime, type View } from './view.ts';

function cellsOf(kind: string, item: Item): readonly (Node | string)[] {
  const state = stateOf(item);
  const created = createdOf(item);
  return [
    el('a', { href: `#/objects/${kind}/${item.id}` }, el('code', {}, item.id)),
    state === '' ? '' : badge(state),
    amountOf(item),
    created === undefined ? '' : dateOf(created),
  ];
}

/** A page of the objects of a kind, newest first. It has an address, so that the way back leads to newer ones. */
export class ObjectList implements View {
  readonly #query: string;
  readonly #kind: string;
  readonly #table: Table<Item>;
  readonly #older = el('a', { hidden: true }, 'Older');
  readonly element: HTMLElement;
  readonly #reload = oneAtATime(() => this.#load());
  readonly #reloadSoon = oncePerFrame(() => void this.#reload().catch(fail));

  /** @param after The object that stands before the first one of the page; `undefined` for the newest. */
  constructor(kind: string, after: string | undefined) {
    this.#kind = kind;
    this.#query = `objects?kind=${kind}${after === undefined ? '' : `&starting_after=${after}`}`;
    this.#table = new Table<Item>({
      name: words(kind),
      columns: [
        { name: 'Id' },
        { name: 'State' },
        { name: 'Amount', end: true },
        { name: 'Created', wide: true },
      ],
      keyOf: (item) => [item.id, stateOf(item), amountOf(item)].join(' '),
      cellsOf: (item) => cellsOf(kind, item),
    });
    const newest = after === undefined ? [] : [el('a', { href: `#/objects/${kind}` }, 'Newest')];
    this.element = el(
      'div',
      {},
      el('p', {}, el('a', { href: '#/objects' }, 'All kinds')),
      el('h2', {}, heading(kind)),
      this.#table.element,
      el('p', { className: 'bar pages' }, ...newest, this.#older),
    );
  }

  show(): Promise<void> {
    return this.#reload();
  }

  hear({ kind }: Activity): void {
    // Transactions are made without an event.
    if (kind !== 'delivery') this.#reloadSoon();
  }

  async #load(): Promise<void> {
    const { data, has_more } = await get<{ data: readonly Item[]; has_more: boolean }>(this.#query);
    this.#table.show(data, 'There are none.');
    this.#older.href = `#/objects/${this.#kind}/after/${data.at(-1)?.id}`;
    this.#older.hidden = !has_more;
  }
}
