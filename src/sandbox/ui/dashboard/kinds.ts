import type { Activity } from '../../control/activity.ts';
import { get } from './api.ts';
import { el } from './element.ts';
import { words } from './format.ts';
import { List } from './list.ts';
import { fail } from './show-problem.ts';
import { oncePerFrame, oneAtATime, type View } from './view.ts';

/** Kinds that are no objects of the service, but for the transactions of the form endpoint. */
const internal: readonly string[] = [
  'payment_token',
  'authentication',
  'device_session',
  'velocity_count',
  'reply',
  'event',
  'delivery',
  'delivery_fault',
  'subscription_invoice',
  'mandate',
  'credited_amount',
  'unsettled_amount',
];

type Count = readonly [kind: string, count: number];

function tileOf([kind]: Count): HTMLElement {
  return el('li', {}, el('a', { href: `#/objects/${kind}` }, el('span', {}, words(kind)), el('b')));
}

/** The kinds of objects, with how many there are. */
export class Kinds implements View {
  readonly #tiles = el('ul', { className: 'tiles', hidden: true });
  readonly #nothing = el(
    'p',
    { className: 'soft', hidden: true },
    'There are no objects yet. Create some, or make sample data under Tools.',
  );
  readonly element = el('div', {}, el('h2', {}, 'Objects'), this.#nothing, this.#tiles);
  readonly #list = new List<Count>(this.#tiles, {
    keyOf: ([kind]) => kind,
    build: tileOf,
    refresh: (tile, [, count]) => tile.querySelector('b')?.replaceChildren(String(count)),
  });
  readonly #reload = oneAtATime(() => this.#load());
  readonly #reloadSoon = oncePerFrame(() => void this.#reload().catch(fail));

  show(): Promise<void> {
    return this.#reload();
  }

  hear({ kind }: Activity): void {
    // Transactions are made without an event.
    if (kind !== 'delivery') this.#reloadSoon();
  }

  async #load(): Promise<void> {
    const { objects } = await get<{ objects: Readonly<Record<string, number>> }>('state');
    const counts = Object.entries(objects).filter(([kind]) => !internal.includes(kind));
    this.#list.show(counts);
    this.#tiles.hidden = counts.length === 0;
    this.#nothing.hidden = counts.length > 0;
  }
}
