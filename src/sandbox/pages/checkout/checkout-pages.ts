import { Hono, type HonoRequest } from 'hono';
import type { CheckoutSession } from '../../../resources/checkout-sessions.ts';
import { originOf } from '../../api/server/origin.ts';
import { CardReader } from '../../transact/card-reader.ts';
import { readField } from '../../transact/form-request.ts';
import { readForm } from '../../transact/read-form.ts';
import { readCard } from '../card-form/card-form-html.ts';
import type { PageContext } from '../page-context.ts';
import { texts } from '../texts.ts';
import { type Answers, problemsOf, readAnswers } from './answers.ts';
import { endChallenge, runThreeDSecure } from './bank-check.ts';
import type { BuyerView } from './buyer-view.ts';
import { type Challenge, showChallengeStep } from './challenge-step.ts';
import { showClosed } from './closed-page.ts';
import { type Attempt, showOpen } from './open-page.ts';
import { checkoutPath } from './path.ts';
import { isOpen, payByCard } from './pay-session.ts';
import { questionsOf } from './questions.ts';

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
}

/** Redirects after a payment, also when the session was paid before: a buyer who submits twice has paid once. */
function leave({ id, success_url }: CheckoutSession): Response {
  const hasPage = success_url !== null && originOf(success_url) !== undefined;
  // Serialized as browsers do, since a `Location` header allows fewer characters than a URL.
  return redirect(hasPage ? new URL(success_url).href : checkoutPath(id));
}

/** Handlers of the checkout pages. */
class Checkout {
  readonly #context: PageContext;
  readonly #cards: CardReader;

  constructor(context: PageContext) {
    this.#context = context;
    this.#cards = new CardReader(context.settings.securityKey);
  }

  /** Shows a session's page in its current state. */
  show(id: string): Promise<Response> {
    const view = this.#viewOf(id);
    if (view === undefined) return this.#showUnknown();
    if (isOpen(view.session)) return showOpen(view);
    return view.session.payment_status === 'paid' ? this.#showPaid(view) : this.#showExpired(view, 200);
  }

  /** Handles a submitted form: fields with a card, or the answer to a challenge. */
  async submit(request: HonoRequest, id: string): Promise<Response> {
    const view = this.#viewOf(id);
    if (view === undefined) return this.#showUnknown();
    const { session } = view;
    if (!isOpen(session)) {
      return session.payment_status === 'paid' ? leave(session) : this.#showExpired(view, 410);
    }
    const made = await this.#attempt(session, new URL(request.url).origin, await readForm(request));
    // Time may have passed while the card was being read.
    const after = this.#viewOf(id);
    if (after === undefined || !isOpen(after.session)) return this.submit(request, id);
    return 'challenge' in made ? showChallengeStep(after, made) : showOpen(after, made);
  }

  #viewOf(id: string): BuyerView | undefined {
    const { state, settings } = this.#context;
    const session = state.objects.checkout_session.get(id);
    if (session === undefined) return undefined;
    return { session, merchantName: settings.merchantName, now: state.clock.now() };
  }

  #showUnknown(): Promise<Response> {
    const { merchantName } = this.#context.settings;
    return showClosed({ merchantName, closed: texts.unknown, status: 404, next: null });
  }

  #showExpired({ session, merchantName }: BuyerView, status: number): Promise<Response> {
    return showClosed({ merchantName, closed: texts.expired, status, next: session.cancel_url });
  }

  #showPaid({ session, merchantName }: BuyerView): Promise<Response> {
    return showClosed({ merchantName, closed: texts.paid, status: 200, next: session.success_url });
  }

  /** Makes one payment attempt. */
  async #attempt(session: CheckoutSession, origin: string, form: FormData): Promise<Attempt | Challenge> {
    const questions = questionsOf(session.collect_config);
    const answers = readAnswers(form, questions);
    const wrongAnswers = problemsOf(answers, questions);
    const challenge = readField(form, 'challenge');
    if (challenge !== '' && Object.keys(wrongAnswers).length === 0) {
      return this.#payAfterChallenge(session, challenge, readField(form, 'answer'), answers);
    }
    const { card, problems: wrongCard } = readCard(form);
    const problems = { ...wrongAnswers, ...wrongCard };
    if (Object.keys(problems).length > 0) return { answers, problems };
    const { state } = this.#context;
    const known = await this.#cards.read(card);
    return state.unit(() => {
      const word = runThreeDSecure(state, known, { session: session.id, origin });
      if (typeof word === 'object') return { ...word, answers };
      const declined = word === 'failed' ? 'notConfirmed' : payByCard(state, session.id, known, answers);
      return { answers, problems, declined };
    });
  }

  #payAfterChallenge({ id }: CheckoutSession, challenge: string, answer: string, answers: Answers): Attempt {
    const { state } = this.#context;
    return state.unit(() => {
      const end = endChallenge(state, id, challenge, answer);
      const declined = typeof end === 'string' ? end : payByCard(state, id, end, answers);
      return { answers, problems: {}, declined };
    });
  }
}

/** Serves the hosted checkout: a page for each session, where the buyer pays. */
export function checkoutPages(context: PageContext): Hono {
  const { exchange } = context;
  const app = new Hono();
  const checkout = new Checkout(context);
  const path = checkoutPath(':id');
  app.get(path, ({ req }) => exchange.show(req, 'checkout.show', () => checkout.show(req.param('id'))));
  app.post(path, ({ req }) =>
    exchange.show(req, 'checkout.pay', () => checkout.submit(req, req.param('id'))),
  );
  return app;
}
