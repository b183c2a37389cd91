import { Hono, type HonoRequest } from 'hono';
import { isOwnOrigin, originOf } from '../api/server/guard.ts';
import { Problem } from '../domain/problem.ts';
import type { State } from '../domain/state.ts';
import { CardReader } from '../transact/card-reader.ts';
import { addToken } from '../transact/payment-token.ts';
import { serveAsset } from './assets.ts';
import { CardFields, expiryAfter, readCard } from './form-fields.tsx';
import { answerForm } from './gateway-pages.tsx';
import type { PageContext } from './pages.ts';
import { showPage } from './show-page.tsx';
import { texts } from './texts.ts';

/** The values that the frame needs. */
interface FrameFacts {
  /** The public key. The frame sends it with each card. */
  readonly publicKey: string;
  /** The time of the sandbox, in milliseconds since 1970. */
  readonly now: number;
}

/** The card form. Without its script the form is a POST, so that no card number gets into a URL. */
function CardFrame({ origin, publicKey, now }: FrameFacts & { readonly origin: string }) {
  return (
    <main class="frame" data-origin={origin} data-expiry={expiryAfter(now)}>
      <h1>Your card</h1>
      <form method="post" action="/browser/tokens" novalidate>
        <input type="hidden" name="apiKey" value={publicKey} />
        <p class="problem" id="failure" role="alert" />
        <CardFields />
        <button type="submit">Use this card</button>
        <p class="done" id="done" role="status" />
      </form>
      <p class="soft note">{texts.sandbox}</p>
      <details>
        <summary>Test cards</summary>
        <ul />
      </details>
    </main>
  );
}

function showNone(): Response {
  const body = (
    <main class="frame">
      <h1>No card fields on this page</h1>
      <p>
        Expected ?origin= with the http or https origin of the shop's page. Show the card fields by
        CollectJS.js, from a page that a server sends.
      </p>
    </main>
  );
  return showPage({ title: 'No card fields', body, style: 'frames.css', status: 400 });
}

/** Serves the frame that a card is typed into. Only the page that opened it may embed it. */
function showCardFields(request: HonoRequest, facts: FrameFacts): Response {
  const origin = originOf(request.query('origin') ?? null);
  if (origin === undefined) return showNone();
  const body = <CardFrame origin={origin} {...facts} />;
  const title = 'Your card';
  return showPage({ title, body, style: 'frames.css', script: 'card-fields.js', framedBy: origin });
}

/**
 * Rejects cards sent by pages of another origin: cards are typed into the sandbox's own frame only. Programs send no
 * `Origin` header.
 *
 * @throws Problem 403 for a page of another origin.
 */
function checkOwnOrigin(request: HonoRequest): void {
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
async function tokenize(
  state: State,
  cards: CardReader,
  form: FormData,
  cause: string,
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
  return { token: state.unit(() => addToken(state, known).id, { cause }) };
}

/** Serves the script `CollectJS.js`, its frame, and the endpoint that the frame sends a card to. */
export function cardFieldsPages({ state, settings, exchange }: PageContext): Hono {
  const { publicKey, securityKey } = settings;
  const cards = new CardReader(securityKey);
  const app = new Hono();
  const makeToken = (request: HonoRequest, cause: string) =>
    answerForm(request, { publicKey, anyOrigin: false }, (form) => {
      checkOwnOrigin(request);
      return tokenize(state, cards, form, cause);
    });
  app.get('/js/CollectJS.js', ({ req }) =>
    exchange.show(req, 'scripts.load', () => serveAsset('CollectJS.js')),
  );
  app.get('/browser/card-fields', ({ req }) =>
    exchange.show(req, 'cardFields.show', async () =>
      showCardFields(req, { publicKey, now: state.clock.now() }),
    ),
  );
  app.post('/browser/tokens', ({ req }) =>
    exchange.show(req, 'cardFields.tokenize', (cause) => makeToken(req, cause)),
  );
  return app;
}
