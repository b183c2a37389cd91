import type { Activity } from '../../../control/activity.ts';
import type { Moment } from '../../../control/history.ts';
import { checkoutPath } from '../../checkout/path.ts';
import { get } from './api.ts';
import { button } from './button.ts';
import { badge, el, scrolling, table } from './el.ts';
import { dateOf, heading, words } from './format.ts';
import { jsonOf } from './json.ts';
import { fail } from './problem.ts';
import { oncePerFrame, oneAtATime, type View } from './view.ts';

/** An object of whatever kind. */
interface Item {
  readonly id: string;
  readonly [field: string]: unknown;
}

interface ItemPage {
  readonly data: readonly Item[];
  readonly has_more: boolean;
}

/** Kinds that are no objects of the service, but for the transactions of the form endpoint. */
const internal: readonly string[] = [
  'payment_token',
  'authentication',
  'device_session',
  'velocity_count',
  'reply',
  'event',
  'delivery',
  'disturbance',
  'bill',
  'mandate',
  'credited',
  'unsettled',
];

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

function stateOf(item: Item): string {
  return textOf(item['status'] ?? item['reconciliation_status']);
}

function amountOf(item: Item): string {
  const amount = item['amount'] ?? item['amount_total'] ?? item['total'];
  return `${textOf(amount)} ${textOf(item['currency'])}`.trim();
}

function createdOf(item: Item): string {
  const seconds = item['created_at'] ?? item['created'];
  if (typeof seconds === 'number') return dateOf(seconds * 1000);
  return typeof item['createdAt'] === 'number' ? dateOf(item['createdAt']) : '';
}

function historyOf(moments: readonly Moment[]): HTMLElement {
  if (moments.length === 0) return el('p', { className: 'soft' }, 'No event tells of it.');
  const items = moments.map(({ event, type, created, state }) =>
    el(
      'li',
      {},
      el('time', { dateTime: created }, dateOf(Date.parse(created))),
      el('a', { href: `#/events/${event}` }, type),
      ...(state === null ? [] : [badge(state)]),
    ),
  );
  return el('ol', { className: 'history' }, ...items);
}

/** A buyer's way to an open session. */
function linkOf(kind: string, { id, status }: Item): readonly HTMLElement[] {
  if (kind !== 'checkout_session' || status !== 'open') return [];
  return [
    el(
      'p',
      {},
      el('a', { href: checkoutPath(id), target: '_blank', rel: 'noopener' }, 'Open its checkout page'),
    ),
  ];
}

/** The kinds of objects, the objects of a kind, or one object with its history. */
export class ObjectsView implements View {
  readonly element = el('section', { ariaLabel: 'Objects' });
  readonly #reload = oneAtATime(() => this.#load());
  readonly #reloadSoon = oncePerFrame(() => void this.#reload().catch(fail));
  #path: readonly string[] = [];
  /** What was loaded beyond the first page, and whether there is still more; `undefined` where nothing was. */
  #older: ItemPage | undefined;

  async show(path: readonly string[]): Promise<void> {
    this.#path = path;
    this.#older = undefined;
    await this.#reload();
  }

  hear({ kind }: Activity): void {
    // Without an event nothing has changed that is worth a look.
    if (kind === 'event' || kind === 'request') this.#reloadSoon();
  }

  async #load(): Promise<void> {
    const path = this.#path;
    const [kind, id] = path;
    const shown = await (kind === undefined
      ? this.#kinds()
      : id === undefined
        ? this.#list(kind)
        : this.#detail(kind, id));
    // Meanwhile something else may have been chosen.
    if (path === this.#path) this.element.replaceChildren(...shown);
  }

  async #kinds(): Promise<readonly HTMLElement[]> {
    const { objects } = await get<{ objects: Readonly<Record<string, number>> }>('state');
    const items = Object.entries(objects)
      .filter(([kind]) => !internal.includes(kind))
      .map(([kind, count]) =>
        el(
          'li',
          {},
          el('a', { href: `#/objects/${kind}` }, el('span', {}, words(kind)), el('b', {}, String(count))),
        ),
      );
    const nothing = el(
      'p',
      { className: 'soft' },
      'There are no objects yet. Create some, or make sample data under Tools.',
    );
    return [
      el('h2', {}, 'Objects'),
      items.length === 0 ? nothing : el('ul', { className: 'tiles' }, ...items),
    ];
  }

  async #list(kind: string): Promise<readonly HTMLElement[]> {
    const first = await get<ItemPage>(`objects?kind=${kind}`);
    const items = [...first.data, ...(this.#older?.data ?? [])];
    const last = items.at(-1)?.id;
    const hasMore = this.#older?.has_more ?? first.has_more;
    const rows = items.map((item) => [
      el('a', { href: `#/objects/${kind}/${item.id}` }, el('code', {}, item.id)),
      stateOf(item) === '' ? '' : badge(stateOf(item)),
      amountOf(item),
      createdOf(item),
    ]);
    const columns = [
      { name: 'Id' },
      { name: 'State' },
      { name: 'Amount', end: true },
      { name: 'Created', wide: true },
    ];
    const older = button('Older', () => this.#loadOlder(kind, last ?? ''));
    return [
      el('p', {}, el('a', { href: '#/objects' }, 'All kinds')),
      el('h2', {}, heading(kind)),
      scrolling(words(kind), table(words(kind), columns, rows)),
      ...(hasMore ? [older] : []),
    ];
  }

  async #loadOlder(kind: string, after: string): Promise<void> {
    const page = await get<ItemPage>(`objects?kind=${kind}&starting_after=${encodeURIComponent(after)}`);
    this.#older = { ...page, data: [...(this.#older?.data ?? []), ...page.data] };
    await this.#reload();
  }

  async #detail(kind: string, id: string): Promise<readonly HTMLElement[]> {
    const path = `objects/${kind}/${id}`;
    const { object, history } = await get<{ object: Item; history: readonly Moment[] }>(path);
    return [
      el('p', {}, el('a', { href: `#/objects/${kind}` }, `All: ${words(kind)}`)),
      el('h2', {}, el('code', {}, id)),
      ...linkOf(kind, object),
      el('h3', {}, 'History'),
      historyOf(history),
      el('h3', {}, 'The object'),
      jsonOf(object),
    ];
  }
}
