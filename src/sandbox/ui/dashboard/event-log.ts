import type { Activity } from '../../control/activity.ts';
import type { SandboxDelivery } from '../../domain/records/delivery.ts';
import type { SandboxEvent } from '../../domain/records/event.ts';
import { get } from './api.ts';
import { standKeyOf, standOf } from './delivery-view.ts';
import { badge, el } from './element.ts';
import { momentOf } from './format.ts';
import { addressOf } from './json.ts';
import { Table } from './table.ts';
import { oncePerFrame, type View } from './view.ts';

const capacity = 200;

interface Entry {
  readonly event: SandboxEvent;
  readonly deliveries: ReadonlyMap<string, SandboxDelivery>;
}

/** What an event is about. A chargeback has no id. */
function objectOf({ data }: SandboxEvent): HTMLElement {
  const id = el('code', {}, String(Reflect.get(data.object, 'id') ?? ''));
  const href = addressOf(id.textContent);
  return href === undefined ? id : el('a', { href }, id);
}

function cellsOf({ event, deliveries }: Entry): readonly (Node | string)[] {
  const { id, type, created } = event;
  const stands = [...deliveries.values()].map(standOf);
  return [
    momentOf(Date.parse(created)),
    el('a', { href: `#/events/${id}` }, type),
    objectOf(event),
    el('span', { className: 'marks' }, ...(stands.length === 0 ? [badge('no endpoint')] : stands)),
  ];
}

/** The newest events, each with how its deliveries stand. */
export class EventLog implements View {
  readonly #table = new Table<Entry>({
    name: 'Events, newest first',
    columns: [{ name: 'Time' }, { name: 'Event' }, { name: 'Object', wide: true }, { name: 'Deliveries' }],
    keyOf: ({ event, deliveries }) => [event.id, ...[...deliveries.values()].map(standKeyOf)].join(' '),
    cellsOf,
  });
  readonly element = el('div', {}, el('h2', {}, 'Events and deliveries'), this.#table.element);
  readonly #draw = oncePerFrame(() => this.#render());
  readonly #entries = new Map<string, Entry>();

  async show(): Promise<void> {
    const [events, deliveries] = await Promise.all([
      get<{ data: SandboxEvent[] }>(`events?limit=${capacity}`),
      get<{ data: SandboxDelivery[] }>(`deliveries?limit=${5 * capacity}`),
    ]);
    this.#entries.clear();
    for (const event of events.data) this.#add(event);
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
    if (this.#entries.has(event.id)) return;
    this.#entries.set(event.id, { event, deliveries: new Map() });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > capacity && oldest !== undefined) this.#entries.delete(oldest);
  }

  #keep(delivery: SandboxDelivery): void {
    const entry = this.#entries.get(delivery.eventId);
    if (entry === undefined) return;
    // What is heard may have happened before what was loaded.
    const known = entry.deliveries.get(delivery.id)?.attempts.length ?? 0;
    if (delivery.attempts.length < known) return;
    const deliveries = new Map(entry.deliveries).set(delivery.id, delivery);
    this.#entries.set(delivery.eventId, { ...entry, deliveries });
  }

  #render(): void {
    this.#table.show([...this.#entries.values()].toReversed(), 'Nothing has happened yet.');
  }
}
