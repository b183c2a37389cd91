import type { Activity } from '../../../control/activity.ts';
import type { SandboxEvent } from '../../../events/event.ts';
import type { SandboxDelivery } from '../../../webhooks/delivery.ts';
import { get, post } from './api.ts';
import { button } from './button.ts';
import { badge, el, scrolling, table } from './el.ts';
import { dateOf, moodOf, timeOf } from './format.ts';
import { addressOf, jsonOf } from './json.ts';
import { oncePerFrame, type View } from './view.ts';

const capacity = 200;

const moods = { delivered: 'good', pending: 'warn', failed: 'bad', canceled: 'plain', lost: 'bad' } as const;

/** How a delivery stands, and what its last attempt came to. */
function standOf({ status, attempts }: SandboxDelivery): HTMLElement {
  const last = attempts.at(-1);
  const result = last === undefined ? '' : `: ${last.status ?? last.error ?? ''}`;
  const again = attempts.length > 1 ? ` (${attempts.length} attempts)` : '';
  return badge(`${status}${result}${again}`, moods[status]);
}

function replay(id: string): Promise<unknown> {
  return post('replay', { id });
}

function attemptsOf(delivery: SandboxDelivery): HTMLElement {
  const rows = delivery.attempts.map(({ at, status, error, responseText }) => [
    dateOf(at),
    badge(String(status ?? error), moodOf(status)),
    el('code', {}, responseText),
  ]);
  const columns = [{ name: 'Time' }, { name: 'Result' }, { name: 'Response' }];
  return scrolling(`Attempts of ${delivery.id}`, table('Attempts', columns, rows));
}

function deliveryOf(delivery: SandboxDelivery): HTMLElement {
  const { id, url, status, dueAt, replayed } = delivery;
  const due = status === 'pending' && dueAt !== null ? [el('p', {}, `Next attempt: ${dateOf(dueAt)}`)] : [];
  return el(
    'section',
    { className: 'card', ariaLabel: `Delivery to ${url}` },
    el('p', {}, el('code', {}, url), ' ', standOf(delivery), ...(replayed ? [' ', badge('replayed')] : [])),
    ...due,
    attemptsOf(delivery),
    button('Deliver to this endpoint again', () => replay(id)),
  );
}

/** Every event with its deliveries, newest first, or one event in full. */
export class EventsView implements View {
  readonly element = el('section', { ariaLabel: 'Events' });
  readonly #draw = oncePerFrame(() => this.#render());
  readonly #events = new Map<string, SandboxEvent>();
  /** By the event, and then by the delivery. */
  readonly #deliveries = new Map<string, Map<string, SandboxDelivery>>();
  #chosen: string | undefined;

  async show([id]: readonly string[]): Promise<void> {
    this.#chosen = id;
    const [events, deliveries] = await Promise.all([
      get<{ data: SandboxEvent[] }>(`events?limit=${id === undefined ? capacity : 10_000}`),
      get<{ data: SandboxDelivery[] }>(`deliveries?limit=${id === undefined ? 5 * capacity : 10_000}`),
    ]);
    this.#events.clear();
    this.#deliveries.clear();
    for (const event of events.data)
      if (id === undefined || event.id === id) this.#events.set(event.id, event);
    for (const delivery of deliveries.data) this.#keep(delivery);
    this.#render();
  }

  hear(activity: Activity): void {
    if (activity.kind === 'request') return;
    if (activity.kind === 'event') this.#add(activity.event);
    else this.#keep(activity.delivery);
    this.#draw();
  }

  #add(event: SandboxEvent): void {
    if (this.#chosen !== undefined) return;
    this.#events.set(event.id, event);
    const [oldest] = this.#events.keys();
    if (this.#events.size <= capacity || oldest === undefined) return;
    this.#events.delete(oldest);
    this.#deliveries.delete(oldest);
  }

  #keep(delivery: SandboxDelivery): void {
    if (!this.#events.has(delivery.eventId)) return;
    const known = this.#deliveries.get(delivery.eventId) ?? new Map<string, SandboxDelivery>();
    this.#deliveries.set(delivery.eventId, known.set(delivery.id, delivery));
  }

  #deliveriesOf(id: string): readonly SandboxDelivery[] {
    return [...(this.#deliveries.get(id)?.values() ?? [])];
  }

  #render(): void {
    const chosen = this.#events.get(this.#chosen ?? '');
    if (chosen !== undefined) this.element.replaceChildren(...this.#detail(chosen));
    else if (this.#chosen !== undefined)
      this.element.replaceChildren(el('h2', {}, 'Event'), el('p', {}, 'There is no such event.'));
    else this.element.replaceChildren(el('h2', {}, 'Events and deliveries'), this.#list());
  }

  #list(): HTMLElement {
    if (this.#events.size === 0) return el('p', { className: 'soft' }, 'Nothing has happened yet.');
    const rows = [...this.#events.values()].toReversed().map(({ id, type, created, data }) => {
      const about = String(Reflect.get(data.object, 'id') ?? '');
      const deliveries = this.#deliveriesOf(id).map(standOf);
      return [
        timeOf(Date.parse(created)),
        el('a', { href: `#/events/${id}` }, type),
        el('a', { href: addressOf(about) ?? `#/events/${id}` }, about),
        el(
          'span',
          { className: 'marks' },
          ...(deliveries.length === 0 ? [badge('no endpoint')] : deliveries),
        ),
      ];
    });
    const columns = [
      { name: 'Time' },
      { name: 'Event' },
      { name: 'Object', wide: true },
      { name: 'Deliveries' },
    ];
    return scrolling('Event log', table('Events, newest first', columns, rows));
  }

  #detail(event: SandboxEvent): readonly HTMLElement[] {
    const deliveries = this.#deliveriesOf(event.id);
    return [
      el('h2', {}, event.type),
      el('p', {}, el('code', {}, event.id), ` ${dateOf(Date.parse(event.created))}`),
      button('Deliver again', () => replay(event.id)),
      el('h3', {}, 'Deliveries'),
      ...(deliveries.length === 0
        ? [el('p', { className: 'soft' }, 'None: no endpoint subscribes to it.')]
        : []),
      ...deliveries.map(deliveryOf),
      el('h3', {}, 'The event'),
      jsonOf(event),
    ];
  }
}
