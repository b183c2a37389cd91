import type { FaultStrike } from '../../../faults/strike.ts';
import type { Fault } from '../../../faults.ts';
import type { PendingDisturbance } from '../../../webhooks/disturbance.ts';
import { get, post, remove } from './api.ts';
import { button } from './button.ts';
import { badge, choice, el, labelled, scrolling, table } from './el.ts';
import { words } from './format.ts';
import { fail } from './problem.ts';
import { oncePerFrame, oneAtATime, type View } from './view.ts';

/** A fault that can be switched on without knowing more. */
interface Preset {
  readonly label: string;
  readonly fault: Readonly<Record<string, unknown>> & { readonly kind: Fault['kind'] };
}

const presets: readonly Preset[] = [
  { label: 'Done, but the reply is lost', fault: { kind: 'drop_reply' } },
  { label: 'The connection breaks before anything is done', fault: { kind: 'drop_request' } },
  { label: '2 seconds late', fault: { kind: 'latency', ms: 2000 } },
  { label: '502 with a page of HTML', fault: { kind: 'bad_gateway' } },
  { label: '503 unavailable', fault: { kind: 'unavailable' } },
  { label: '429 rate limit', fault: { kind: 'rate_limit', retryAfter: 1 } },
  { label: 'Half of the reply', fault: { kind: 'truncate_body' } },
  { label: 'The key is in use', fault: { kind: 'idempotency_error', code: 'IDEMPOTENCY_KEY_IN_PROGRESS' } },
];

const disturbances: readonly (readonly [string, string])[] = [
  ['duplicate', 'Twice'],
  ['reorder', 'Overtaken by the next'],
  ['delay', 'An hour late'],
  ['wrong_secret', 'Signed with a wrong secret'],
  ['altered_body', 'Changed on the way'],
  ['lose', 'Lost'],
];

interface Armed {
  readonly id: string;
  readonly fault: Fault;
  readonly struck: number;
}

const always = Number.MAX_SAFE_INTEGER;

function aimOf({ operation, times }: Fault & { readonly times?: number | undefined }): string {
  const count =
    times === always
      ? 'until switched off'
      : `${times ?? 1} time${times === undefined || times === 1 ? '' : 's'}`;
  return `${operation ?? 'any request'}, ${count}`;
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
  readonly #switches = el('div', { className: 'switches' });
  readonly #rest = el('div');
  readonly #reload = oneAtATime(() => this.#load());
  readonly #reloadSoon = oncePerFrame(() => void this.#reload().catch(fail));

  /** @param operations What faults can be aimed at. */
  constructor(operations: readonly string[]) {
    this.#operation = choice([['', 'any request'], ...operations.map((name) => [name, name] as const)]);
    const aim = el(
      'div',
      { className: 'bar' },
      labelled('Strikes', this.#operation),
      labelled('For', this.#times),
    );
    this.element.append(el('h2', {}, 'Faults'), aim, this.#switches, this.#rest);
  }

  show(): Promise<void> {
    return this.#reload();
  }

  hear(): void {
    this.#reloadSoon();
  }

  async #load(): Promise<void> {
    const [faults, pending] = await Promise.all([
      get<{ data: readonly Armed[]; history: readonly FaultStrike[] }>('faults'),
      get<{ data: readonly PendingDisturbance[] }>('disturbances'),
    ]);
    this.#drawSwitches(faults.data);
    this.#rest.replaceChildren(
      ...this.#armed(faults.data),
      ...this.#struck(faults.history),
      ...this.#disturbances(pending.data),
    );
  }

  /** They stay where they are, so that the focus does too. */
  #drawSwitches(armed: readonly Armed[]): void {
    if (this.#switches.childElementCount === 0) {
      this.#switches.append(...presets.map((preset) => this.#switch(preset)));
    }
    presets.forEach(({ fault: { kind } }, index) => {
      const isOn = armed.some(({ fault }) => fault.kind === kind);
      this.#switches.children.item(index)?.setAttribute('aria-checked', String(isOn));
    });
  }

  #switch({ label, fault }: Preset): HTMLElement {
    const element = button(
      label,
      () => this.#turn(fault, element.getAttribute('aria-checked') === 'true'),
      'switch',
    );
    element.setAttribute('role', 'switch');
    return element;
  }

  async #turn(fault: Preset['fault'], isOn: boolean): Promise<void> {
    if (isOn) {
      const { data } = await get<{ data: readonly Armed[] }>('faults');
      const same = data.filter((one) => one.fault.kind === fault.kind);
      await Promise.all(same.map(({ id }) => remove(`faults/${id}`)));
    } else {
      const operation = this.#operation.value;
      const times = Number(this.#times.value);
      await post('faults', { ...fault, times, ...(operation !== '' && { operation }) });
    }
    await this.#reload();
  }

  #armed(armed: readonly Armed[]): readonly HTMLElement[] {
    const rows = armed.map(({ id, fault, struck }) => [
      words(fault.kind),
      aimOf(fault),
      String(struck),
      button('Withdraw', async () => {
        await remove(`faults/${id}`);
        await this.#reload();
      }),
    ]);
    const columns = [
      { name: 'Fault' },
      { name: 'Strikes' },
      { name: 'Struck', end: true },
      { name: 'Action' },
    ];
    const nothing = el('p', { className: 'soft' }, 'Nothing is armed.');
    return [
      el('h3', {}, 'Armed'),
      rows.length === 0 ? nothing : scrolling('Armed', table('Armed faults', columns, rows)),
    ];
  }

  #struck(history: readonly FaultStrike[]): readonly HTMLElement[] {
    if (history.length === 0) return [];
    const rows = history
      .toReversed()
      .map(({ fault, method, path, stage }) => [
        words(fault.kind),
        el('code', {}, `${method} ${path}`),
        stage,
      ]);
    const columns = [{ name: 'Fault' }, { name: 'Request' }, { name: 'Stage' }];
    return [el('h3', {}, 'Has struck'), scrolling('Strikes', table('Strikes, newest first', columns, rows))];
  }

  #disturbances(pending: readonly PendingDisturbance[]): readonly HTMLElement[] {
    const buttons = disturbances.map(([kind, label]) =>
      button(label, async () => {
        await post('disturbances', kind === 'delay' ? { kind, by: '1 hour' } : { kind });
        await this.#reload();
      }),
    );
    const waiting = pending.map(({ kind }) => badge(words(kind), 'warn'));
    const calm = button('Calm', async () => {
      await remove('disturbances');
      await this.#reload();
    });
    return [
      el('h3', {}, 'The next delivery of a webhook is'),
      el('div', { className: 'actions' }, ...buttons),
      ...(waiting.length === 0 ? [] : [el('p', { className: 'marks' }, 'Waiting: ', ...waiting, calm)]),
    ];
  }
}
