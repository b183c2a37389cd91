import type { HonoRequest } from 'hono';
import { isOwnOrigin } from '../../api/server/guard.ts';
import { Problem } from '../../domain/problem.ts';
import type { State } from '../../domain/state.ts';
import type { CardReader } from '../../transact/card-reader.ts';
import { addToken } from '../../transact/payment-token.ts';
import { readCard } from '../card-form/card-form-html.ts';

/**
 * Cards are typed into the sandbox's own frame alone, so no other page has a reason to send one. Programs send no Origin.
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
 * Makes a token for the card that a form has.
 *
 * @throws Problem 422 that says what is wrong with which field; it never repeats what came.
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
