import type { RequestFault as Fault } from '../../api/faults/fault.ts';
import type { FaultHit } from '../../api/faults/hit.ts';
import type { ListedFaults, WaitingFault } from '../../control/pending-faults.ts';
import { get, post, remove } from './api.ts';
import { button } from './button.ts';
import { DeliveryFaults } from './delivery-faults-view.ts';
import { choice, el, labelled } from './element.ts';
import { isLike, type Preset, presets } from './fault-presets.ts';
import { words } from './format.ts';
import { fail } from './show-problem.ts';
import { Table } from './table.ts';
import { oncePerFrame, oneAtATime, type View } from './view.ts';

const always = Number.MAX_SAFE_INTEGER;

function aimOf({ operation, times }: Fault & { readonly times?: number | undefined }): string {
  const count =
    times === always
      ? 'until switched off'
      : `${times ?? 1} time${times === undefined || times === 1 ? '' : 's'}`;
  return `${operation ?? 'any request'}, ${count}`;
}

function nameOf(fault: Fault): string {
  return presets.find((preset) => isLike(preset, fault))?.label ?? words(fault.kind);
}

/** What goes wrong on purpose, with requests and with deliveries. */
export class FaultsView implements View {
  readonly element = el('section', { ariaLabel: 'Faults' });
  readonly #operation: HTMLSelectElement;
  readonly #times = choice([
    [String(always), 'until switched off'],
    ['1', 'the next request'],
    ['5', 'the next 5 requests'],
  ]);
  readonly #switches = presets.map((preset) => this.#switch(preset));
  readonly #armed = new Table<WaitingFault>({
    name: 'Armed faults',
    columns: [{ name: 'Fault' }, { name: 'Aim' }, { name: 'Hits', end: true }, { name: 'Action' }],
    keyOf: ({ id }) => id,
    cellsOf: ({ id, fault }) => [
      nameOf(fault),
      aimOf(fault),
      el('span', { className: 'hits' }),
      button('Withdraw', () => this.#withdraw([id])),
    ],
    refresh: (row, { hits }) => row.querySelector('.hits')?.replaceChildren(String(hits)),
  });
  readonly #hits = new Table<FaultHit>({
    name: 'Hits, newest first',
    columns: [{ name: 'Fault' }, { name: 'Request' }, { name: 'Phase' }],
    keyOf: ({ requestId }) => requestId,
    cellsOf: ({ fault, method, path, phase }) => [nameOf(fault), el('code', {}, `${method} ${path}`), phase],
  });
  readonly #deliveries = new DeliveryFaults(() => this.#reload());
  readonly #reload = oneAtATime(() => this.#load());
  readonly #reloadSoon = oncePerFrame(() => void this.#reload().catch(fail));

  /** @param operations What faults can be aimed at. */
  constructor(operations: readonly string[]) {
    this.#operation = choice([['', 'any request'], ...operations.map((name) => [name, name] as const)]);
    this.element.append(
      el('h2', {}, 'Faults'),
      el('div', { className: 'bar' }, labelled('Hits', this.#operation), labelled('For', this.#times)),
      el('div', { className: 'switches' }, ...this.#switches),
      el('h3', {}, 'Armed'),
      this.#armed.element,
      el('h3', {}, 'Has hit'),
      this.#hits.element,
      this.#deliveries.element,
    );
  }

  show(): Promise<void> {
    return this.#reload();
  }

  hear(): void {
    this.#reloadSoon();
  }

  async #load(): Promise<void> {
    const { data: armed, deliveries, history } = await get<ListedFaults>('faults');
    presets.forEach((preset, index) => {
      const isOn = armed.some(({ fault }) => isLike(preset, fault));
      this.#switches[index]?.setAttribute('aria-checked', String(isOn));
    });
    this.#armed.show(armed, 'Nothing is armed.');
    this.#hits.show(history.toReversed(), 'Nothing was hit.');
    this.#deliveries.set(deliveries);
  }

  #switch(preset: Preset): HTMLElement {
    const element = button(
      preset.label,
      () => this.#turn(preset, element.getAttribute('aria-checked') === 'true'),
      'switch',
    );
    element.setAttribute('role', 'switch');
    element.setAttribute('aria-checked', 'false');
    return element;
  }

  async #turn(preset: Preset, isOn: boolean): Promise<void> {
    if (isOn) {
      const { data } = await get<{ data: readonly WaitingFault[] }>('faults');
      return this.#withdraw(data.filter(({ fault }) => isLike(preset, fault)).map(({ id }) => id));
    }
    const operation = this.#operation.value;
    const times = Number(this.#times.value);
    await post('faults', { ...preset.fault, times, ...(operation !== '' && { operation }) });
    await this.#reload();
  }

  async #withdraw(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => remove(`faults/${id}`)));
    await this.#reload();
  }
}
