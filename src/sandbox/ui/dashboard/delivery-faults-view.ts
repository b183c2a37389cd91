import type { PendingDeliveryFault } from '../../domain/records/delivery-fault.ts';
import { post, remove } from './api.ts';
import { button } from './button.ts';
import { badge, el } from './element.ts';

const kinds: readonly (readonly [kind: PendingDeliveryFault['kind'], label: string])[] = [
  ['duplicate_delivery', 'Twice'],
  ['reorder_delivery', 'Overtaken by the next'],
  ['delay_delivery', 'An hour late'],
  ['forge_delivery', 'Signed with a wrong secret'],
  ['tamper_delivery', 'Changed on the way'],
  ['drop_delivery', 'Dropped'],
];

/** What goes wrong with deliveries on purpose. */
export class DeliveryFaults {
  readonly element: HTMLElement;
  readonly #marks = el('span', { className: 'marks' });
  readonly #waiting: HTMLElement;
  #pending: readonly PendingDeliveryFault[] = [];

  /** @param changed Is called when something was made or cleared. */
  constructor(changed: () => Promise<void>) {
    const buttons = kinds.map(([kind, label]) =>
      button(label, async () => {
        await post('faults', kind === 'delay_delivery' ? { kind, by: '1 hour' } : { kind });
        await changed();
      }),
    );
    const clear = button('Clear', async () => {
      await Promise.all(this.#pending.map(({ id }) => remove(`faults/${id}`)));
      await changed();
    });
    this.#waiting = el('p', { className: 'marks waiting', hidden: true }, 'Waiting: ', this.#marks, clear);
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
    this.#pending = pending;
    const labels = new Map<string, string>(kinds);
    this.#marks.replaceChildren(...pending.map(({ kind }) => badge(labels.get(kind) ?? kind, 'warn')));
    this.#waiting.hidden = pending.length === 0;
  }
}
