import type { SandboxDelivery } from '../../domain/records/delivery.ts';
import { post } from './api.ts';
import { button } from './button.ts';
import { badge, el } from './element.ts';
import { dateOf, moodOf } from './format.ts';
import { Table } from './table.ts';

type Attempt = SandboxDelivery['attempts'][number];

const moods = {
  delivered: 'good',
  pending: 'warn',
  failed: 'bad',
  canceled: 'plain',
  dropped: 'bad',
} as const;

/** Tells a delivery, as it stands, from all others and from itself before. */
export function standKeyOf({ id, status, dueAt, attempts }: SandboxDelivery): string {
  return `${id} ${status} ${dueAt} ${attempts.length}`;
}

/** How a delivery stands, and what its last attempt came to. */
export function standOf({ status, attempts }: SandboxDelivery): HTMLElement {
  const last = attempts.at(-1);
  const result = last === undefined ? '' : `: ${last.status ?? last.error ?? ''}`;
  const again = attempts.length > 1 ? ` (${attempts.length} attempts)` : '';
  return badge(`${status}${result}${again}`, moods[status]);
}

/** Has an event delivered again to all its endpoints, or a delivery to its own. */
export function replay(id: string): Promise<unknown> {
  return post('replay', { id });
}

function attemptsOf({ id, attempts }: SandboxDelivery): HTMLElement {
  const table = new Table<Attempt>({
    name: `Attempts of ${id}`,
    columns: [{ name: 'Time' }, { name: 'Result' }, { name: 'Response' }],
    keyOf: (attempt) => String(attempts.indexOf(attempt)),
    cellsOf: ({ at, status, error, responseText }) => [
      dateOf(at),
      badge(String(status ?? error), moodOf(status)),
      el('code', {}, responseText),
    ],
  });
  table.show(attempts, 'No attempt yet.');
  return table.element;
}

/** A delivery with its attempts. */
export function deliveryOf(delivery: SandboxDelivery): HTMLElement {
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
