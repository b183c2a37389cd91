import { type KeyedHash, keyedHash } from '../base/hash.ts';
import type { State } from '../domain/state.ts';
import { expiryOf, withoutGaps } from '../transact/card-reader.ts';
import { testCardNameOf } from '../transact/test-cards.ts';

/** A card in a recorded form. */
interface NamedCard {
  /** The name of the test card. */
  readonly name: string;
  readonly isExpired: boolean;
  readonly hasCvv: boolean;
}

/** Returns the text that stands for a test card, such as `[card:fullMatch]`. */
function cardText({ name, isExpired, hasCvv }: NamedCard): string {
  return `[card:${name}${isExpired ? ' expired' : ''}${hasCvv ? '' : ' without cvv'}]`;
}

/** Returns the text that stands for a token which the sandbox did not create. */
function tokenText(hash: string): string {
  return `[token:${hash.slice(0, 12)}]`;
}

/** Names the cards of forms, since a recording holds neither a card number nor a token. */
export class CardNames {
  readonly #state: State;
  /** Its key is new, so that nobody can find the token of a hash. */
  readonly #hash: KeyedHash = keyedHash(crypto.randomUUID());

  constructor(state: State) {
    this.#state = state;
  }

  /**
   * Returns the text that stands for the card in a field of a form; `undefined` for another field, and for a card that is no
   * test card.
   */
  textOf(form: URLSearchParams, field: string, value: string): string | undefined {
    if (field === 'ccnumber') return this.#textOfNumber(value, form);
    return field === 'payment_token' && value !== '' ? this.#textOfToken(value) : undefined;
  }

  #textOfNumber(value: string, form: URLSearchParams): string | undefined {
    const name = testCardNameOf(withoutGaps(value));
    if (name === null) return undefined;
    const expiresAt = expiryOf(form.get('ccexp') ?? '') ?? Number.POSITIVE_INFINITY;
    return cardText({ name, isExpired: this.#isPast(expiresAt), hasCvv: Boolean(form.get('cvv')) });
  }

  #textOfToken(value: string): string | undefined {
    const token = this.#state.objects.payment_token.get(value);
    // Any other text stands for a card of its own that pays.
    if (token === undefined) return tokenText(this.#hash(value));
    const { testCard: name, hasCvv, expiresAt } = token.card;
    return name === null ? undefined : cardText({ name, isExpired: this.#isPast(expiresAt), hasCvv });
  }

  #isPast(time: number): boolean {
    return this.#state.clock.now() >= time;
  }
}
