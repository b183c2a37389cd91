import { isCardNumber, isSecurityCode } from '../../transact/card-reader.ts';
import { fillIn, helpWithCard } from '../card-form.ts';
import { requireElement } from '../frames/framed-page.ts';
import { type CardChange, fieldOf } from '../frames/messages.ts';

const brands: readonly (readonly [name: string, beginning: RegExp])[] = [
  ['visa', /^4/],
  ['mastercard', /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['amex', /^3[47]/],
  ['discover', /^(?:6011|64[4-9]|65)/],
];

function isExpiry(text: string): boolean {
  const [, month] = /^(\d{1,2}?)\s*(?:[/.-]\s*)?(?:20)?\d\d$/.exec(text.trim()) ?? [];
  return Number(month) >= 1 && Number(month) <= 12;
}

/** Returns the state of the form that the page may see: no digits. */
function changeOf(card: {
  readonly ccnumber: string;
  readonly ccexp: string;
  readonly cvv: string;
}): CardChange {
  const number = card.ccnumber.replaceAll(/[\s-]/g, '');
  const isComplete = isCardNumber(number) && isExpiry(card.ccexp) && isSecurityCode(card.cvv.trim());
  const [brand] = brands.find(([, beginning]) => beginning.test(number)) ?? [];
  return { complete: isComplete, empty: `${number}${card.ccexp}${card.cvv}` === '', brand };
}

/** The field names in display order. */
const names = ['ccnumber', 'ccexp', 'cvv'] as const;

type Name = (typeof names)[number];

function inputOf(name: Name): HTMLInputElement {
  const input = requireElement(`#${name}`);
  if (input instanceof HTMLInputElement) return input;
  throw new Error(`Expected #${name} to be an input.`);
}

function textOf(name: Name): string {
  return inputOf(name).value;
}

function formOf(selector: string): HTMLFormElement {
  const form = requireElement(selector);
  if (form instanceof HTMLFormElement) return form;
  throw new Error(`Expected ${selector} to be a form.`);
}

function mark(name: Name, problem: string | undefined): void {
  const input = inputOf(name);
  const words = requireElement(`#${name}-problem`);
  words.textContent = problem ?? '';
  words.hidden = problem === undefined;
  input.ariaInvalid = problem === undefined ? 'false' : 'true';
  const described = [`${name}-hint`, words.id].filter((id) => document.getElementById(id)?.hidden === false);
  input.setAttribute('aria-describedby', described.join(' '));
}

interface CardFormListener {
  /** Called with the token of each card. The form accepts no other card until `resume`. */
  readonly onToken: (token: string) => void;
  readonly onChange: (change: CardChange) => void;
}

/** The form that a card is typed into. The server validates the card and returns the error of each field. */
export class CardForm {
  readonly #form = formOf('form');
  readonly #button = requireElement('form button');
  readonly #failure = requireElement('#failure');
  readonly #done = requireElement('#done');
  readonly #listener: CardFormListener;
  #isBusy = false;
  #isHandedOver = false;

  constructor(listener: CardFormListener) {
    this.#listener = listener;
    helpWithCard(this.#form);
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
    this.#form.addEventListener('input', () => this.#reportChange());
  }

  focus(): void {
    inputOf('ccnumber').focus();
  }

  fill(card: Readonly<Record<Name, string>>): void {
    if (this.#isBusy) return;
    this.#clearMessages();
    fillIn(this.#form, card);
    this.#reportChange();
    if (this.#button.hidden) inputOf('cvv').focus();
    else this.#button.focus();
  }

  submit(): void {
    this.#form.requestSubmit();
  }

  clear(): void {
    if (this.#isBusy) return;
    this.#clearMessages();
    this.#form.reset();
    this.#reportChange();
  }

  /**
   * Accepts the next card.
   *
   * @param wantsCard Whether the page asks for another card, which means that it has handled the last one.
   */
  resume(wantsCard: boolean): void {
    // A card whose request is pending continues.
    if (!this.#isHandedOver) return;
    this.#isHandedOver = false;
    this.#setBusy(false);
    if (wantsCard) this.#done.textContent = '';
  }

  /** Shows or hides the submit button. A page without it submits the form itself. */
  showButton(isShown: boolean): void {
    this.#button.hidden = !isShown;
  }

  #clearMessages(): void {
    for (const name of names) mark(name, undefined);
    this.#failure.textContent = '';
    this.#done.textContent = '';
  }

  #setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    this.#button.ariaDisabled = isBusy ? 'true' : null;
    this.#form.toggleAttribute('data-busy', isBusy);
    for (const name of names) inputOf(name).readOnly = isBusy;
  }

  #reportChange(): void {
    const card = { ccnumber: textOf('ccnumber'), ccexp: textOf('ccexp'), cvv: textOf('cvv') };
    this.#listener.onChange(changeOf(card));
  }

  async #submit(): Promise<void> {
    // Blocks a second submit while a token is requested or in use: it would create another token.
    if (this.#isBusy) return;
    this.#clearMessages();
    this.#setBusy(true);
    try {
      const answer = await this.#send();
      const token = fieldOf(answer, 'token');
      if (typeof token === 'string') return this.#deliverToken(token);
      this.#setBusy(false);
      this.#showProblems(fieldOf(answer, 'error'));
    } catch {
      this.#setBusy(false);
      this.#failure.textContent = 'Your card could not be sent, and you were not charged. Try again.';
    }
  }

  async #send(): Promise<unknown> {
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(this.#form)) body.set(name, String(value));
    const response = await fetch(this.#form.action, { method: 'POST', body });
    return response.json();
  }

  #deliverToken(token: string): void {
    this.#form.reset();
    this.#done.textContent = 'The shop has received your card.';
    this.#isHandedOver = true;
    this.#listener.onToken(token);
    this.#reportChange();
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
