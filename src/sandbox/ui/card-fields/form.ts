import { fillIn, helpWithCard } from '../card-form/card-form.ts';
import { fieldOf } from '../frames/field.ts';
import { inside } from '../frames/inside.ts';

/** The fields, in the order in which they stand. */
const names = ['ccnumber', 'ccexp', 'cvv'] as const;

type Name = (typeof names)[number];

function inputOf(name: Name): HTMLInputElement {
  const input = inside(`#${name}`);
  if (input instanceof HTMLInputElement) return input;
  throw new Error(`Expected #${name} to be an input.`);
}

function formOf(selector: string): HTMLFormElement {
  const form = inside(selector);
  if (form instanceof HTMLFormElement) return form;
  throw new Error(`Expected ${selector} to be a form.`);
}

/** Says what is wrong with a field, or that nothing is. */
function mark(name: Name, problem: string | undefined): void {
  const input = inputOf(name);
  const words = inside(`#${name}-problem`);
  words.textContent = problem ?? '';
  words.hidden = problem === undefined;
  input.ariaInvalid = problem === undefined ? 'false' : 'true';
  const described = [`${name}-hint`, words.id].filter((id) => document.getElementById(id)?.hidden === false);
  input.setAttribute('aria-describedby', described.join(' '));
}

/** The form that a card is typed into. The server reads the card, and says what is wrong with it. */
export class CardForm {
  readonly #form = formOf('form');
  readonly #button = inside('form button');
  readonly #failure = inside('#failure');
  readonly #done = inside('#done');
  readonly #onToken: (token: string) => void;

  /** @param onToken Gets the token of each card. */
  constructor(onToken: (token: string) => void) {
    this.#onToken = onToken;
    helpWithCard(this.#form);
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
  }

  /** Puts the focus on its first field. */
  focus(): void {
    inputOf('ccnumber').focus();
  }

  /** Puts a card in, ready to be used. */
  fill(card: Readonly<Record<Name, string>>): void {
    this.#clear();
    fillIn(this.#form, card);
    this.#button.focus();
  }

  #clear(): void {
    for (const name of names) mark(name, undefined);
    this.#failure.textContent = '';
    this.#done.textContent = '';
  }

  async #submit(): Promise<void> {
    // A second press while the first is on its way would make another token.
    if (this.#button.ariaDisabled === 'true') return;
    this.#clear();
    this.#button.ariaDisabled = 'true';
    try {
      this.#finish(await this.#send());
    } catch {
      this.#failure.textContent = 'Your card could not be sent. Nothing was paid: try again.';
    } finally {
      this.#button.ariaDisabled = null;
    }
  }

  async #send(): Promise<unknown> {
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(this.#form)) body.set(name, String(value));
    const response = await fetch(this.#form.action, { method: 'POST', body });
    return response.json();
  }

  #finish(answer: unknown): void {
    const token = fieldOf(answer, 'token');
    if (typeof token === 'string') this.#handOver(token);
    else this.#showProblems(fieldOf(answer, 'error'));
  }

  #handOver(token: string): void {
    this.#form.reset();
    this.#done.textContent = 'The shop has your card.';
    this.#onToken(token);
  }

  #showProblems(error: unknown): void {
    const wrong = names.filter((name) => {
      const problem = fieldOf(error, name);
      if (typeof problem === 'string') mark(name, problem);
      return typeof problem === 'string';
    });
    const [first] = wrong;
    if (first === undefined) throw new Error('Expected a token, or what is wrong with the card.');
    inputOf(first).focus();
  }
}
