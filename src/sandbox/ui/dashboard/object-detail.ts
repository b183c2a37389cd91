import type { Activity } from '../../control/activity.ts';
import type { Moment } from '../../control/history.ts';
import { checkoutPath } from '../../pages/checkout/path.ts';
import { get } from './api.ts';
import { badge, el } from './element.ts';
import { dateOf, words } from './format.ts';
import type { Item } from './item.ts';
import { jsonOf } from './json.ts';
import { List } from './list.ts';
import { fail } from './show-problem.ts';
import { oncePerFrame, oneAtATime, type View } from './view.ts';

function momentOf({ event, type, created, state }: Moment): HTMLElement {
  return el(
    'li',
    {},
    el('time', { dateTime: created }, dateOf(Date.parse(created))),
    el('a', { href: `#/events/${event}` }, type),
    ...(state === null ? [] : [badge(state)]),
  );
}

/** One object with its history, and for an open session a buyer's way to it. */
export class ObjectDetail implements View {
  readonly #kind: string;
  readonly #id: string;
  readonly #none = el('p', { className: 'soft', hidden: true }, 'No event tells of it.');
  readonly #checkout: HTMLElement;
  readonly #moments = el('ol', { className: 'history' });
  readonly #history = new List<Moment>(this.#moments, { keyOf: ({ event }) => event, build: momentOf });
  readonly #place = el('div');
  /** It is written anew when anything in it has changed. */
  readonly #object = new List<Item>(this.#place, { keyOf: (item) => JSON.stringify(item), build: jsonOf });
  readonly element: HTMLElement;
  readonly #reload = oneAtATime(() => this.#load());
  readonly #reloadSoon = oncePerFrame(() => void this.#reload().catch(fail));

  constructor(kind: string, id: string) {
    this.#kind = kind;
    this.#id = id;
    const link = el(
      'a',
      { href: checkoutPath(id), target: '_blank', rel: 'noopener' },
      'Open its checkout page',
    );
    this.#checkout = el('p', { hidden: true }, link);
    this.element = el(
      'div',
      {},
      el('p', {}, el('a', { href: `#/objects/${kind}` }, `All: ${words(kind)}`)),
      el('h2', {}, el('code', {}, id)),
      this.#checkout,
      el('h3', {}, 'History'),
      this.#none,
      this.#moments,
      el('h3', {}, 'The object'),
      this.#place,
    );
  }

  show(): Promise<void> {
    return this.#reload();
  }

  hear({ kind }: Activity): void {
    // An object of a request that tells no event may have changed as well.
    if (kind !== 'delivery') this.#reloadSoon();
  }

  async #load(): Promise<void> {
    const path = `objects/${this.#kind}/${this.#id}`;
    const { object, history } = await get<{ object: Item; history: readonly Moment[] }>(path);
    this.#history.show(history);
    this.#none.hidden = history.length > 0;
    this.#moments.hidden = history.length === 0;
    this.#object.show([object]);
    this.#checkout.hidden = this.#kind !== 'checkout_session' || object['status'] !== 'open';
  }
}
