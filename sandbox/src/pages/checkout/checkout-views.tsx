import type { CheckoutSession } from 'payments-client';
import type { ComponentChildren } from 'preact';
import { originOf } from '../../api/server/guard.ts';
import { day } from '../../base/time.ts';
import { moneyText } from '../../domain/amounts.ts';
import { timings } from '../../domain/timings.ts';
import { AnswerButtons, AskedPayment } from '../bank-question.tsx';
import { CardFields, expiryAfter, FormField, type Problems } from '../form-fields.tsx';
import { showPage } from '../show-page.tsx';
import { type Decline, texts } from '../texts.ts';
import { type Answers, questionsOf, sameAddress } from './answers.ts';
import { checkoutPath } from './path.ts';

/** The data that every page of a session shows. */
export interface BuyerView {
  readonly session: CheckoutSession;
  /** The shop's name. */
  readonly merchantName: string;
  /** The time, in milliseconds since 1970. */
  readonly now: number;
}

/** A page for a buyer. */
interface BuyerPage {
  readonly merchantName: string;
  /** The page that its form may redirect to. Default: only its own. */
  readonly success?: string | null;
  readonly title: string;
  /** Default: the title. */
  readonly heading?: string;
  /** The content below the heading. */
  readonly content: ComponentChildren;
  readonly status: number;
}

function showBuyer({ merchantName, success, title, heading, content, status }: BuyerPage): Response {
  const shop = originOf(success ?? null);
  return showPage({
    title: `${title} · ${merchantName}`,
    body: (
      <main class="checkout">
        <header>
          <p class="merchant">
            <bdi>{merchantName}</bdi>
          </p>
          <h1>{heading ?? title}</h1>
        </header>
        {content}
      </main>
    ),
    style: 'pages.css',
    script: 'checkout.js',
    status,
    // Chromium applies `form-action` to the redirect after a form too.
    formsLeadTo: shop === undefined ? [] : [shop],
  });
}

/** Shows a 3-D Secure challenge, between card entry and payment. */
export function showChallenge({ session, merchantName }: BuyerView, challenge: string): Response {
  const { id, success_url: success, amount_total, currency } = session;
  const { title, note } = texts.challenge;
  const content = (
    <section class="payment">
      <AskedPayment shop={merchantName} amount={moneyText(amount_total, currency)} />
      <form method="post" action={checkoutPath(id)} class="actions">
        <input type="hidden" name="challenge" value={challenge} />
        <AnswerButtons />
      </form>
      <p class="soft">{note}</p>
    </section>
  );
  return showBuyer({ merchantName, success, title, status: 200, content });
}

interface ShopLinkProps {
  /** The address. Without one of http or https there is no link. */
  readonly address: string | null;
  /** Returns the text for a host. */
  readonly text: (host: string) => string;
  readonly class?: string;
}

/** A link to a page of the shop. */
function ShopLink({ address, text, ...look }: ShopLinkProps) {
  if (address === null || originOf(address) === undefined) return null;
  return (
    <p>
      <a {...look} href={address}>
        {text(new URL(address).host)}
      </a>
    </p>
  );
}

/** Shows why a session cannot be paid: there is none, or it was paid or has expired. It has a link back to the shop. */
export function showClosed(
  merchantName: string,
  session: CheckoutSession | undefined,
  status: number,
): Response {
  const isPaid = session?.payment_status === 'paid';
  const { title, text } = session ? texts[isPaid ? 'paid' : 'expired'] : texts.unknown;
  const next = session?.[isPaid ? 'success_url' : 'cancel_url'] ?? null;
  const content = (
    <section class="payment">
      <p>{text}</p>
      <ShopLink class="button" address={next} text={texts.goTo} />
      <p class="soft">{texts.sandbox}</p>
    </section>
  );
  return showBuyer({ merchantName, title, status, content });
}

/** The price and the period of a subscription. No field names the period, so it is the sandbox's own. */
function Recurrence({ session: { mode, amount_total, currency }, now }: BuyerView) {
  if (mode !== 'subscription') return null;
  const next = new Date(now + timings.subscriptionPeriod);
  const date = next.toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <p class="recurring">
      <strong>{texts.recurring(moneyText(amount_total, currency), timings.subscriptionPeriod / day)}</strong>{' '}
      <span class="soft">{texts.firstPayment(date)}</span>
    </p>
  );
}

/** The order. It is open in the HTML, so that nothing is hidden without a script, which folds it on narrow screens. */
function Order(view: BuyerView) {
  const { line_items, amount_total, currency } = view.session;
  const money = (amount: number) => moneyText(amount, currency);
  return (
    <details class="order" open>
      <summary>
        <h2>{texts.order}</h2> <strong class="glance">{money(amount_total)}</strong>
      </summary>
      <ul>
        {line_items.map(({ name, quantity, amount }) => (
          <li>
            <span>
              <bdi>{name}</bdi> <span class="soft">{`${quantity} × ${money(amount)}`}</span>
            </span>{' '}
            <span>{money(amount * quantity)}</span>
          </li>
        ))}
      </ul>
      <p class="total">
        <span>{texts.total}</span> <strong>{money(amount_total)}</strong>
      </p>
      <Recurrence {...view} />
    </details>
  );
}

/** The result of a payment attempt that did not succeed. */
export interface Attempt {
  /** The buyer's input, so that only the card must be typed again. Default: what the session has. */
  readonly answers?: Answers | undefined;
  /** The error message of each wrong field. */
  readonly problems: Problems;
  /** Why the payment was declined; `undefined` if none was attempted. */
  readonly declined?: Decline | undefined;
}

function isWrong({ problems, declined }: Attempt): boolean {
  return declined !== undefined || Object.keys(problems).length > 0;
}

/** The error summary at the top, with a link to each field. It takes the focus. */
function Mistakes({ problems, declined }: Attempt) {
  return (
    <div class="summary" role="alert" tabindex={-1} autofocus>
      <p>{declined === undefined ? texts.mistakes : texts.declines[declined]}</p>
      {declined === undefined && (
        <ul>
          {Object.entries(problems).map(([name, problem]) => (
            <li>
              <a href={`#${name}`}>{problem}</a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Returns the label of the pay button: what the buyer does, and the amount. */
function purposeOf({ mode, amount_total, currency }: CheckoutSession): string {
  const amount = moneyText(amount_total, currency);
  return mode === 'subscription' ? texts.subscribe(amount) : texts.pay(amount);
}

function PaymentForm({ session, now, attempt }: BuyerView & { readonly attempt: Attempt }) {
  const { answers = { email: session.customer_email ?? '' }, problems } = attempt;
  return (
    <form method="post" action={checkoutPath(session.id)} novalidate>
      {questionsOf(session.collect_config).map(({ title, fields, mayBeSame }) => (
        <fieldset>
          <legend>{title}</legend>
          {mayBeSame && (
            <label class="same">
              <input type="checkbox" name={sameAddress} checked={answers[sameAddress] !== ''} />
              {texts.sameAddress}
            </label>
          )}
          {fields.map((one) => (
            <FormField {...one} value={answers[one.name]} problem={problems[one.name]} />
          ))}
        </fieldset>
      ))}
      <fieldset>
        <legend>{texts.card}</legend>
        <CardFields problems={problems} again={isWrong(attempt)} now={now} />
      </fieldset>
      <button type="submit" data-busy={texts.paying}>
        {purposeOf(session)}
      </button>
    </form>
  );
}

/** The expiry in UTC. The page's script converts it to the buyer's time zone. */
function Expiry({ seconds }: { readonly seconds: number }) {
  const time = new Date(seconds * 1000);
  const text = time.toLocaleString('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return (
    <p class="soft">
      {texts.openUntil} <time datetime={time.toISOString()}>{text} UTC</time>
    </p>
  );
}

function statusOf(attempt: Attempt): number {
  if (attempt.declined !== undefined) return 402;
  return isWrong(attempt) ? 422 : 200;
}

/** Shows the page of a session that can be paid. */
export function showOpen(view: BuyerView, attempt: Attempt = { problems: {} }): Response {
  const { session, merchantName, now } = view;
  const purpose = purposeOf(session);
  const content = (
    <>
      <Order {...view} />
      <section class="payment" aria-labelledby="payment">
        <h2 id="payment">{texts.payment}</h2>
        {isWrong(attempt) && <Mistakes {...attempt} />}
        <PaymentForm {...view} attempt={attempt} />
        <ShopLink address={session.cancel_url} text={texts.cancel} />
        <Expiry seconds={session.expires_at} />
        <p class="soft">{texts.sandbox}</p>
        <details class="test-cards" data-expiry={expiryAfter(now)} hidden>
          <summary>Test cards</summary>
          <ul />
        </details>
      </section>
    </>
  );
  return showBuyer({
    merchantName,
    success: session.success_url,
    title: isWrong(attempt) ? texts.error(purpose) : purpose,
    heading: texts.checkout,
    status: statusOf(attempt),
    content,
  });
}
