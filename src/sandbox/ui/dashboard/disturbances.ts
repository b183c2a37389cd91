import type { PendingDeliveryFault } from '../../domain/records/delivery-fault.ts';
import type { Disturbance } from '../../webhooks/delivery-faults.ts';
import { post, remove } from './api.ts';
import { button } from './button.ts';
import { badge, el } from './el.ts';

const kinds: readonly (readonly [kind: Disturbance['kind'], label: string])[] = [
  ['duplicate', 'Twice'],
  ['reorder', 'Overtaken by the next'],
  ['delay', 'An hour late'],
  ['wrong_secret', 'Signed with a wrong secret'],
  ['altered_body', 'Changed on the way'],
  ['lose', 'Lost'],
];

/** What goes wrong with deliveries on purpose. */
export class Disturbances {
  readonly element: HTMLElement;
  readonly #marks = el('span', { className: 'marks' });
  readonly #waiting: HTMLElement;

  /** @param changed Is called when something was made or calmed. */
  constructor(changed: () => Promise<void>) {
    const buttons = kinds.map(([kind, label]) =>
      button(label, async () => {
        await post('disturbances', kind === 'delay' ? { kind, by: '1 hour' } : { kind });
        await changed();
      }),
    );
    const calm = button('Calm', async () => {
      await remove('disturbances');
      await changed();
    });
    this.#waiting = el('p', { className: 'marks waiting', hidden: true }, 'Waiting: ', this.#marks, calm);
    this.element = el(
      'div',
      {},
      el('h3', {}, 'The next delivery of a webhook is'),
      el('div', { className: 'actions' }, ...buttons),
      this.#waiting,
    );
  }

  /** Shows those that wait for a delivery. */
  set(pending: readonly PendingDeliveryFault[]): void {
    const labels = new Map<string, string>(kinds);
    this.#marks.replaceChildren(...pending.map(({ kind }) => badge(labels.get(kind) ?? kind, 'warn')));
    this.#waiting.hidden = pending.length === 0;
  }
}
