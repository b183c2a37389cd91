import type { Activity } from '../../control/activity.ts';
import type { SandboxDelivery } from '../../domain/records/delivery.ts';
import type { SandboxEvent } from '../../domain/records/event.ts';
import { get } from './api.ts';
import { button } from './button.ts';
import { deliveryOf, replay, standKeyOf } from './delivery-view.ts';
import { el } from './element.ts';
import { dateOf } from './format.ts';
import { jsonOf } from './json.ts';
import { List } from './list.ts';
import { fail } from './show-problem.ts';
import { oncePerFrame, oneAtATime, type View } from './view.ts';

interface EventWithDeliveries {
  readonly event: SandboxEvent;
  readonly deliveries: readonly SandboxDelivery[];
}

/** One event with its deliveries, each with its attempts. */
export class EventDetail implements View {
  readonly #id: string;
  readonly #title = el('h2', {}, 'Event');
  readonly #rest = el('div');
  readonly #none = el('p', { className: 'soft', hidden: true }, 'None: no endpoint subscribes to it.');
  readonly #place = el('div');
  readonly #deliveries = new List(this.#place, { keyOf: standKeyOf, build: deliveryOf });
  readonly #reload = oneAtATime(() => this.#load());
  readonly #reloadSoon = oncePerFrame(() => void this.#reload().catch(fail));
  readonly element = el(
    'div',
    {},
    el('p', {}, el('a', { href: '#/events' }, 'All events')),
    this.#title,
    this.#rest,
  );

  constructor(id: string) {
    this.#id = id;
  }

  show(): Promise<void> {
    return this.#reload();
  }

  hear(activity: Activity): void {
    if (activity.kind === 'delivery' && activity.delivery.eventId === this.#id) this.#reloadSoon();
  }

  async #load(): Promise<void> {
    const { event, deliveries } = await get<EventWithDeliveries>(`events/${this.#id}`);
    this.#deliveries.show(deliveries);
    this.#none.hidden = deliveries.length > 0;
    // An event never changes, unlike its deliveries.
    if (this.#rest.hasChildNodes()) return;
    this.#title.textContent = event.type;
    this.#rest.append(
      el('p', {}, el('code', {}, event.id), ` ${dateOf(Date.parse(event.created))}`),
      button('Deliver again', () => replay(event.id)),
      el('h3', {}, 'Deliveries'),
      this.#none,
      this.#place,
      el('h3', {}, 'The event'),
      jsonOf(event),
    );
  }
}
