import type { AnsweredRequest } from '../../api/request-log.ts';
import type { Activity } from '../../control/activity.ts';
import { get } from './api.ts';
import { button } from './button.ts';
import { badge, el, labelled } from './element.ts';
import { momentOf, moodOf } from './format.ts';
import { Table } from './table.ts';
import { oncePerFrame, type View } from './view.ts';

const capacity = 300;
const columns = [
  { name: 'Time' },
  { name: 'Request' },
  { name: 'Operation', wide: true },
  { name: 'Status' },
  { name: 'Took', wide: true, end: true },
  { name: 'Idempotency key' },
];

/** A key in full, and as short as tells it from others: the caller's own part is at its end. The style shows one of them. */
function keyOf(key: string): HTMLElement {
  const short = key.length <= 26 ? key : `${key.slice(0, 6)}…${key.slice(-18)}`;
  return el('code', {}, el('span', { className: 'short' }, short), el('span', { className: 'whole' }, key));
}

function marksOf({ replayed, dropped }: AnsweredRequest['request']): readonly HTMLElement[] {
  return [...(replayed ? [badge('replayed', 'warn')] : []), ...(dropped ? [badge('dropped', 'bad')] : [])];
}

function cellsOf({ at, duration, request }: AnsweredRequest): readonly (Node | string)[] {
  const { method, path, operation, status, idempotencyKey } = request;
  const key = idempotencyKey === undefined ? [] : [keyOf(idempotencyKey)];
  return [
    momentOf(at),
    el('code', {}, el('b', {}, method), ` ${path}`),
    operation ?? '',
    badge(status === undefined ? 'none' : String(status), moodOf(status)),
    `${Math.max(1, Math.round(duration))} ms`,
    el('span', { className: 'marks' }, ...key, ...marksOf(request)),
  ];
}

/** All that a row says, for the filter. */
function textOf({ request }: AnsweredRequest): string {
  const { method, path, operation, status, idempotencyKey, replayed, dropped } = request;
  const words = [method, path, operation, status, idempotencyKey];
  return [...words, replayed ? 'replayed' : '', dropped ? 'dropped' : ''].join(' ').toLowerCase();
}

/** Every request as it is answered, newest first. */
export class RequestsView implements View {
  readonly element = el('section', { ariaLabel: 'Requests' });
  readonly #table = new Table<AnsweredRequest>({
    name: 'Requests, newest first',
    columns,
    keyOf: ({ number }) => String(number),
    cellsOf,
  });
  readonly #filter = el('input', { type: 'search', placeholder: 'path, operation, key, status' });
  readonly #pause = button('Pause', () => this.#toggle());
  readonly #draw = oncePerFrame(() => this.#render());
  #requests: AnsweredRequest[] = [];
  /** What is looked at while newer requests wait. */
  #paused: readonly AnsweredRequest[] | undefined;

  constructor() {
    const whole = el('input', { type: 'checkbox' });
    whole.addEventListener('change', () => this.element.classList.toggle('whole-keys', whole.checked));
    this.#filter.addEventListener('input', this.#draw);
    const bar = el(
      'div',
      { className: 'bar' },
      labelled('Filter', this.#filter),
      this.#pause,
      labelled('Whole keys', whole),
    );
    this.element.append(el('h2', {}, 'Requests'), bar, this.#table.element);
  }

  async show(): Promise<void> {
    const { data } = await get<{ data: AnsweredRequest[] }>(`requests?limit=${capacity}`);
    this.#requests = data;
    this.#render();
  }

  hear(activity: Activity): void {
    if (activity.kind !== 'request' || activity.number <= (this.#requests.at(-1)?.number ?? 0)) return;
    this.#requests.push(activity);
    if (this.#requests.length > capacity) this.#requests.shift();
    this.#draw();
  }

  #toggle(): void {
    this.#paused = this.#paused === undefined ? [...this.#requests] : undefined;
    this.#pause.textContent = this.#paused === undefined ? 'Pause' : 'Go on';
    this.#render();
  }

  #render(): void {
    const all = this.#paused ?? this.#requests;
    const wanted = this.#filter.value.trim().toLowerCase();
    const fitting = all.filter((one) => textOf(one).includes(wanted));
    const nothing =
      all.length === 0 ? 'No request yet. Send one, and it shows up here.' : 'No request fits the filter.';
    this.#table.show(fitting.toReversed(), nothing);
  }
}
