import { Hono, type HonoRequest } from 'hono';
import type { CheckoutSession } from 'payments-client';
import { originOf } from '../../api/server/guard.ts';
import { isPayable } from '../../domain/payments/pay.ts';
import { CardReader } from '../../transact/card-reader.ts';
import { readField, readForm } from '../../transact/form-request.ts';
import { readCard } from '../form-fields.tsx';
import type { PageContext } from '../pages.ts';
import { type Answers, problemsOf, questionsOf, readAnswers } from './answers.ts';
import { type Attempt, type BuyerView, showChallenge, showClosed, showOpen } from './checkout-views.tsx';
import { checkoutPath } from './path.ts';
import { endChallenge, failureOf, payByCard, runThreeDSecure } from './payment.ts';

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
}

/** Redirects after a payment, also when the session was paid before: a buyer who submits twice has paid once. */
function leave({ id, success_url }: CheckoutSession): Response {
  const hasPage = success_url !== null && originOf(success_url) !== undefined;
  // Serialized as browsers do, since a `Location` header allows fewer characters than a URL.
  return redirect(hasPage ? new URL(success_url).href : checkoutPath(id));
}

/** Returns the path of a session's page during and after a 3-D Secure run. */
function runPath(id: string, run: string): string {
  return `${checkoutPath(id)}?${new URLSearchParams({ authentication: run })}`;
}

/** Handlers of the checkout pages. */
class Checkout {
  readonly #context: PageContext;
  readonly #cards: CardReader;
  /** What buyers typed before 3-D Secure, without the card, by the page after it. In memory only: the state has none of it. */
  readonly #answers = new Map<string, Answers>();

  constructor(context: PageContext) {
    this.#context = context;
    this.#cards = new CardReader(context.settings.securityKey);
  }

  /**
   * Shows a session's page in its current state.
   *
   * @param run The 3-D Secure run that the buyer comes from. Default: none.
   */
  show(id: string, run?: string): Response {
    const view = this.#viewOf(id);
    if (view === undefined) return this.#showClosed(undefined, 404);
    const { session } = view;
    if (!this.#isPayable(session)) return this.#showClosed(session, 200);
    if (run === undefined) return showOpen(view);
    const answers = this.#answers.get(runPath(id, run));
    const declined = answers ? failureOf(this.#context.state, session, run) : 'checkEnded';
    return declined ? showOpen(view, { answers, problems: {}, declined }) : showChallenge(view, run);
  }

  /**
   * Handles a submitted form: fields with a card, or the answer to a challenge. After 3-D Secure it redirects to a page that the
   * buyer can reload and come back to.
   *
   * @param cause The id of the request.
   */
  async submit(request: HonoRequest, id: string, cause: string): Promise<Response> {
    const view = this.#viewOf(id);
    if (view === undefined) return this.#showClosed(undefined, 404);
    const { session } = view;
    if (!this.#isPayable(session)) {
      return session.payment_status === 'paid' ? leave(session) : this.#showClosed(session, 410);
    }
    const { origin } = new URL(request.url);
    const made = await this.#attempt(session, await readForm(request), { origin, cause });
    // Time may have passed while the card was being read.
    const after = this.#viewOf(id);
    if (after === undefined || !this.#isPayable(after.session)) return this.submit(request, id, cause);
    return typeof made === 'string' ? redirect(runPath(id, made)) : showOpen(after, made);
  }

  #isPayable(session: CheckoutSession): boolean {
    return isPayable(this.#context.state, session);
  }

  #viewOf(id: string): BuyerView | undefined {
    const { state, settings } = this.#context;
    const session = state.objects.checkout_session.get(id);
    if (session === undefined) return undefined;
    return { session, merchantName: settings.merchantName, now: state.clock.now() };
  }

  #showClosed(session: CheckoutSession | undefined, status: number): Response {
    return showClosed(this.#context.settings.merchantName, session, status);
  }

  /** Makes one payment attempt. Returns its failure, or the id of a 3-D Secure run that the buyer is sent to. */
  async #attempt(
    session: CheckoutSession,
    form: FormData,
    { origin, cause }: { readonly origin: string; readonly cause: string },
  ): Promise<Attempt | string> {
    const run = readField(form, 'challenge');
    if (run !== '') {
      this.#answer(session.id, run, { answer: readField(form, 'answer'), cause });
      return run;
    }
    const questions = questionsOf(session.collect_config);
    const answers = readAnswers(form, questions);
    const { card, problems: wrongCard } = readCard(form);
    const problems = { ...problemsOf(answers, questions), ...wrongCard };
    if (Object.keys(problems).length > 0) return { answers, problems };
    const { state } = this.#context;
    const known = await this.#cards.read(card);
    return state.unit(
      () => {
        const begun = runThreeDSecure(state, known, { session: session.id, origin });
        if (begun === undefined) {
          return { answers, problems, declined: payByCard(state, session.id, known, answers) };
        }
        this.#answers.set(runPath(session.id, begun), answers);
        return begun;
      },
      { cause },
    );
  }

  #answer(
    id: string,
    run: string,
    { answer, cause }: { readonly answer: string; readonly cause: string },
  ): void {
    const { state } = this.#context;
    const answers = this.#answers.get(runPath(id, run));
    if (answers === undefined) return;
    state.unit(
      () => {
        const card = endChallenge(state, id, run, answer);
        if (card !== undefined) payByCard(state, id, card, answers);
      },
      { cause },
    );
  }
}

/** Serves the hosted checkout: a page for each session, where the buyer pays. */
export function checkoutPages(context: PageContext): Hono {
  const { exchange } = context;
  const app = new Hono();
  const checkout = new Checkout(context);
  const path = checkoutPath(':id');
  app.get(path, ({ req }) =>
    exchange.show(req, 'checkout.show', async () =>
      checkout.show(req.param('id'), req.query('authentication')),
    ),
  );
  app.post(path, ({ req }) =>
    exchange.show(req, 'checkout.pay', (cause) => checkout.submit(req, req.param('id'), cause)),
  );
  return app;
}
