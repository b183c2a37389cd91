import type { Activity } from '../../../control/activity.ts';
import type { AnsweredRequest } from '../../../request-log.ts';
import { get } from './api.ts';
import { button } from './button.ts';
import { badge, el, labelled, scrolling, table } from './el.ts';
import { moodOf, timeOf } from './format.ts';
import { oncePerFrame, type View } from './view.ts';

const capacity = 300;
const keyLength = 18;

const columns = [
  { name: 'Time' },
  { name: 'Request' },
  { name: 'Operation', wide: true },
  { name: 'Status' },
  { name: 'Took', wide: true, end: true },
  { name: 'Idempotency key' },
];

/** A key as short as tells it from others: they differ at their end as well. The whole one is there for who needs it. */
function keyOf(key: string): HTMLElement {
  const short = key.length <= keyLength ? key : `${key.slice(0, 8)}…${key.slice(-8)}`;
  return el('code', { title: key }, short);
}

function rowOf({ at, duration, request }: AnsweredRequest): readonly (Node | string)[] {
  const { method, path, operation, status, idempotencyKey, replayed, dropped } = request;
  const marks = [
    ...(replayed ? [badge('replayed', 'warn')] : []),
    ...(dropped ? [badge('dropped', 'bad')] : []),
  ];
  return [
    timeOf(at),
    el('code', {}, el('b', {}, method), ` ${path}`),
    operation ?? '',
    badge(status === undefined ? 'none' : String(status), moodOf(status)),
    `${Math.max(1, Math.round(duration))} ms`,
    el(
      'span',
      { className: 'marks' },
      ...(idempotencyKey === undefined ? [] : [keyOf(idempotencyKey)]),
      ...marks,
    ),
  ];
}

/** Every request as it is answered, newest first. */
export class RequestsView implements View {
  readonly element = el('section', { ariaLabel: 'Requests' });
  readonly #list = scrolling('Request log');
  readonly #filter = el('input', { type: 'search', placeholder: 'path, operation, key, status' });
  readonly #pause = button('Pause', () => this.#toggle());
  readonly #draw = oncePerFrame(() => this.#render());
  #requests: AnsweredRequest[] = [];
  #isPaused = false;

  constructor() {
    this.#filter.addEventListener('input', this.#draw);
    const bar = el('div', { className: 'bar' }, labelled('Filter', this.#filter), this.#pause);
    this.element.append(el('h2', {}, 'Requests'), bar, this.#list);
  }

  async show(): Promise<void> {
    const { data } = await get<{ data: AnsweredRequest[] }>(`requests?limit=${capacity}`);
    this.#requests = data;
    this.#render();
  }

  hear(activity: Activity): void {
    if (activity.kind !== 'request') return;
    this.#requests.push(activity);
    if (this.#requests.length > capacity) this.#requests.shift();
    if (!this.#isPaused) this.#draw();
  }

  #toggle(): void {
    this.#isPaused = !this.#isPaused;
    this.#pause.textContent = this.#isPaused ? 'Go on' : 'Pause';
    this.#draw();
  }

  #render(): void {
    const wanted = this.#filter.value.trim().toLowerCase();
    const fitting = this.#requests.filter((one) =>
      JSON.stringify(one.request).toLowerCase().includes(wanted),
    );
    const nothing = el('p', { className: 'soft' }, 'No request yet. Send one, and it shows up here.');
    const rows = fitting.toReversed().map(rowOf);
    this.#list.replaceChildren(rows.length === 0 ? nothing : table('Requests, newest first', columns, rows));
  }
}
