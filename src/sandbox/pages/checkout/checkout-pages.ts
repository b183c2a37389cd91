import { Hono, type HonoRequest } from 'hono';
import type { CheckoutSession } from '../../../resources/checkout-sessions.ts';
import { originOf } from '../../api/server/origin.ts';
import type { State } from '../../domain/state.ts';
import { CardReader } from '../../transact/card-reader.ts';
import { readForm } from '../../transact/read-form.ts';
import { readCard } from '../card-form/card-form-html.ts';
import type { PageContext } from '../page-context.ts';
import { problemsOf, readAnswers } from './answers.ts';
import { showClosed } from './closed-page.ts';
import { showOpen } from './open-page.ts';
import { checkoutPath } from './path.ts';
import { isOpen, payByCard } from './pay-session.ts';
import { questionsOf } from './questions.ts';

function showUnknown(): Promise<Response> {
  const text = 'There is no such checkout. Check the address, or begin anew in the shop.';
  return showClosed({ title: 'Not found', text, status: 404, next: null });
}

function showExpired({ cancel_url }: CheckoutSession, status = 200): Promise<Response> {
  const text = 'This checkout has expired, and you were not charged. Begin anew in the shop.';
  return showClosed({ title: 'Expired', text, status, next: cancel_url });
}

function showPaid({ success_url }: CheckoutSession): Promise<Response> {
  return showClosed({ title: 'Paid', text: 'Thank you, this is paid.', status: 200, next: success_url });
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
}

/** After a payment, also one that was made before: a buyer who presses twice has paid once. */
function leave({ id, success_url }: CheckoutSession): Response {
  const hasPage = success_url !== null && originOf(success_url) !== undefined;
  // As a browser writes it: a header holds less than an address may be written with.
  return redirect(hasPage ? new URL(success_url).href : checkoutPath(id));
}

function show(state: State, id: string): Promise<Response> {
  const session = state.objects.checkout_session.get(id);
  if (session === undefined) return showUnknown();
  if (isOpen(session)) return showOpen(session, state.clock.now());
  return session.payment_status === 'paid' ? showPaid(session) : showExpired(session);
}

/** One attempt to pay: what the buyer sent is read, and the card tried. */
async function attempt(state: State, cards: CardReader, session: CheckoutSession, form: FormData) {
  const questions = questionsOf(session.collect_config);
  const answers = readAnswers(form, questions);
  const { card, problems: wrongCard } = readCard(form);
  const problems = { ...problemsOf(answers, questions), ...wrongCard };
  if (Object.keys(problems).length > 0) return { answers, problems };
  const known = await cards.read(card);
  return { answers, problems, declined: payByCard(state, session.id, known, answers) };
}

async function submit(state: State, cards: CardReader, request: HonoRequest, id: string): Promise<Response> {
  const { checkout_session } = state.objects;
  const session = checkout_session.get(id);
  if (session === undefined) return showUnknown();
  if (!isOpen(session)) return session.payment_status === 'paid' ? leave(session) : showExpired(session, 410);
  const made = await attempt(state, cards, session, await readForm(request));
  // Time may have passed while the card was read.
  const after = checkout_session.get(id);
  return after !== undefined && isOpen(after)
    ? showOpen(after, state.clock.now(), made)
    : submit(state, cards, request, id);
}

/** The hosted checkout: a page for each session, where the buyer pays. */
export function checkoutPages({ state, settings, exchange }: PageContext): Hono {
  const app = new Hono();
  const cards = new CardReader(settings.securityKey);
  const path = checkoutPath(':id');
  app.get(path, ({ req }) => exchange.show(req, 'checkout.show', () => show(state, req.param('id'))));
  app.post(path, ({ req }) =>
    exchange.show(req, 'checkout.pay', () => submit(state, cards, req, req.param('id'))),
  );
  return app;
}
