import { post } from './api.ts';
import { button } from './button.ts';
import { choice, el, labelled } from './element.ts';
import { jsonOf } from './json.ts';
import type { View } from './view.ts';

/** What the page was told about the sandbox. */
export interface SandboxFacts {
  /** The types of events. */
  readonly types: readonly string[];
  /** The public key. */
  readonly publicKey: string;
}

function numberInput(value: string): HTMLInputElement {
  return el('input', { type: 'number', value, min: '0' });
}

/** Makes things happen that need a buyer, a bank, or time. */
export class ToolsView implements View {
  readonly element = el('section', { ariaLabel: 'Tools' });
  readonly #outcome = el('div', { role: 'status' });

  constructor({ types, publicKey }: SandboxFacts) {
    this.element.append(
      el('h2', {}, 'Tools'),
      ...this.#trigger(types),
      ...this.#seed(),
      this.#outcome,
      el('h3', {}, 'Connect'),
      el(
        'p',
        {},
        'Base URL ',
        el('code', {}, location.origin),
        ', public key ',
        el('code', {}, publicKey),
        '. The secret key and the security key are where the sandbox was started.',
      ),
    );
  }

  async show(): Promise<void> {
    this.#outcome.replaceChildren();
  }

  hear(): void {
    // What happens shows in the other sections.
  }

  #trigger(types: readonly string[]): readonly HTMLElement[] {
    const type = choice(types.map((name) => [name, name]));
    const go = button('Make it happen', async () => {
      const event = await post('trigger', { type: type.value });
      this.#outcome.replaceChildren(jsonOf(event));
    });
    return [el('h3', {}, 'An event'), el('div', { className: 'bar' }, labelled('Type', type), go)];
  }

  #seed(): readonly HTMLElement[] {
    const customers = numberInput('20');
    const intents = numberInput('200');
    const go = button('Make sample data', async () => {
      const body = { customers: Number(customers.value), intents: Number(intents.value) };
      this.#outcome.replaceChildren(jsonOf(await post('seed', body)));
    });
    const bar = el(
      'div',
      { className: 'bar' },
      labelled('Customers', customers),
      labelled('Payments', intents),
      go,
    );
    return [el('h3', {}, 'Sample data'), bar];
  }
}
