import { get, post } from './api.ts';
import { button } from './button.ts';
import { badge, el, labelled } from './element.ts';
import { dateOf } from './format.ts';
import { fail, forgive } from './show-problem.ts';

const steps: readonly (readonly [label: string, text: string])[] = [
  ['+1 min', '1 minute'],
  ['+1 hour', '1 hour'],
  ['+1 day', '1 day'],
  ['+30 days', '30 days'],
];

interface Time {
  readonly now: number;
}

interface ClockState extends Time {
  readonly running: boolean;
}

/** The sandbox's time, and what moves it on. */
export class Clock {
  // A timer is not read out each time it changes.
  readonly #time = el('span', { role: 'timer', ariaLabel: 'Time of the sandbox' });
  readonly #pace = badge('');
  readonly #text = el('input', { type: 'text', placeholder: '3 days', size: 8 });
  readonly element: HTMLElement;
  #now = 0;

  constructor() {
    const advance = async (text: string): Promise<void> =>
      this.set((await post<Time>('clock', { advance: text })).now);
    const own = el('form', {}, labelled('Advance by', this.#text), el('button', {}, 'Go'));
    own.addEventListener('submit', (event) => {
      event.preventDefault();
      forgive();
      advance(this.#text.value).catch(fail);
    });
    const buttons = steps.map(([label, text]) => button(label, () => advance(text)));
    this.element = el(
      'div',
      { className: 'clock' },
      this.#time,
      this.#pace,
      el('div', { className: 'actions', role: 'group', ariaLabel: 'Advance the clock' }, ...buttons),
      own,
    );
  }

  /** The time, in milliseconds since 1970. */
  readonly now = (): number => this.#now;

  /** Shows a time. */
  set(now: number): void {
    this.#now = now;
    this.#time.textContent = dateOf(now);
  }

  /** Asks the sandbox what time it is. */
  async load(): Promise<void> {
    const { clock } = await get<{ clock: ClockState }>('state');
    this.set(clock.now);
    this.#pace.textContent = clock.running ? 'running' : 'still';
  }
}
