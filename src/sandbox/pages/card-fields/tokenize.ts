import type { HonoRequest } from 'hono';
import { isOwnOrigin } from '../../api/server/guard.ts';
import { Problem } from '../../domain/problem.ts';
import type { State } from '../../domain/state.ts';
import type { CardReader } from '../../transact/card-reader.ts';
import { addToken } from '../../transact/payment-token.ts';
import { readCard } from '../card-form/card-form-html.ts';

/**
 * Rejects cards sent by pages of another origin: cards are typed into the sandbox's own frame only. Programs send no
 * `Origin` header.
 *
 * @throws Problem 403 for a page of another origin.
 */
export function checkOwnOrigin(request: HonoRequest): void {
  const origin = request.header('origin');
  if (origin === undefined || isOwnOrigin(request.raw, origin)) return;
  throw new Problem(
    403,
    'ORIGIN_NOT_ALLOWED',
    "Expected the Origin to be the sandbox's own, got another one. Show the card fields by CollectJS.js.",
  );
}

/**
 * Creates a token for the card in a form.
 *
 * @throws Problem 422 that names each wrong field. It never repeats a value.
 */
export async function tokenize(
  state: State,
  cards: CardReader,
  form: FormData,
): Promise<{ readonly token: string }> {
  const { card, problems } = readCard(form);
  if (Object.keys(problems).length > 0) {
    const names = Object.keys(problems).join(', ');
    throw new Problem(
      422,
      'INVALID_CARD',
      `Expected a card, got a wrong ${names}. Correct it.`,
      undefined,
      problems,
    );
  }
  const known = await cards.read(card);
  return { token: state.unit(() => addToken(state, known).id) };
}
