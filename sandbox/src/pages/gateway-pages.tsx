import { Hono, type HonoRequest } from 'hono';
import { jsonReply, toResponse, writeError } from '../api/reply.ts';
import { originOf } from '../api/server/guard.ts';
import { invalidParameter, Problem } from '../domain/problem.ts';
import type { Reply } from '../domain/records/records.ts';
import type { State } from '../domain/state.ts';
import { readField, readForm } from '../transact/form-request.ts';
import { addDeviceSession } from '../transact/payment-token.ts';
import { FormRefusal } from '../transact/refusal.ts';
import {
  type Authentication,
  answerChallenge,
  authenticate,
  beginChallenge,
  type ChallengeAnswer,
  openChallenge,
  plannedOutcome,
} from '../transact/three-d-secure.ts';
import { serveAsset } from './assets.ts';
import { AnswerButtons, AskedPayment, bankAnswers } from './bank-question.tsx';
import type { PageContext } from './pages.ts';
import { showPage } from './show-page.tsx';
import { texts } from './texts.ts';

/** The allowed senders of a form and readers of its response. */
interface Audience {
  /** The key that each form must send as `apiKey`. */
  readonly publicKey: string;
  /** Whether pages of any origin may read the response. */
  readonly anyOrigin: boolean;
}

function checkKey(form: FormData, publicKey: string): void {
  if (readField(form, 'apiKey') === publicKey) return;
  throw new Problem(
    401,
    'INVALID_PUBLIC_KEY',
    "Expected apiKey to be the sandbox's public key. Pass sandbox.publicKey to the page.",
    'apiKey',
  );
}

/** Converts an error to the shape that the browser scripts read, whatever the configured error shape is. */
function refusalOf(error: unknown): Reply {
  if (error instanceof Problem) return writeError(error, 'nested');
  if (error instanceof FormRefusal) {
    return writeError(new Problem(422, 'NOT_PROCESSED', `${error.message}.`), 'nested');
  }
  return writeError(new Problem(500, 'SANDBOX_FAILURE', 'The sandbox failed.'), 'nested');
}

/** Answers a url-encoded form of the browser scripts with JSON. */
export async function answerForm(
  request: HonoRequest,
  { publicKey, anyOrigin }: Audience,
  work: (form: FormData) => unknown,
): Promise<Response> {
  const headers = { 'cache-control': 'no-store', ...(anyOrigin && { 'access-control-allow-origin': '*' }) };
  try {
    const form = await readForm(request);
    checkKey(form, publicKey);
    return toResponse(jsonReply(200, await work(form)), headers);
  } catch (error) {
    return toResponse(refusalOf(error), headers);
  }
}

/** The next step of an authentication: its result for the page's callback, or a challenge for the buyer. */
type AuthenticationStep =
  | { readonly result: Omit<Authentication, 'status'> }
  | { readonly challenge: string };

function toStep({ status: _, ...result }: Authentication): AuthenticationStep {
  return { result };
}

/** Reads the origin of the page, to which the challenge's frame posts its messages. */
function readOrigin(header: string | undefined): string {
  const origin = originOf(header ?? null);
  if (origin !== undefined) return origin;
  throw new Problem(
    403,
    'ORIGIN_NOT_ALLOWED',
    'Expected an Origin header of http or https, since this card asks for a challenge. Open the page from a server.',
  );
}

function begin(state: State, paymentToken: string, header: string | undefined): AuthenticationStep {
  const planned = plannedOutcome(state, paymentToken);
  if (planned !== 'challenge_required') return toStep(authenticate(state, paymentToken, 'unanswered'));
  return { challenge: beginChallenge(state, { paymentToken, origin: readOrigin(header) }) };
}

function readAnswer(form: FormData): ChallengeAnswer {
  const sent = readField(form, 'answer');
  const answer = bankAnswers.find((one) => one === sent);
  if (answer !== undefined) return answer;
  throw invalidParameter('answer', `Expected answer to be one of ${bankAnswers.join(', ')}.`);
}

/**
 * Starts an authentication by its `token`, or completes one by its `challenge` and `answer`.
 *
 * @throws Problem for an invalid form; FormRefusal for a token or a challenge that is unknown, used or expired.
 */
function stepOn(state: State, form: FormData, origin: string | undefined): AuthenticationStep {
  const challenge = readField(form, 'challenge');
  const token = readField(form, 'token');
  if (challenge !== '') return toStep(answerChallenge(state, challenge, readAnswer(form)));
  if (token === '') throw invalidParameter('token', 'Expected token, a payment token, or challenge.');
  return begin(state, token, origin);
}

function showNone(): Response {
  const body = (
    <main class="frame">
      <h1>There is no such challenge</h1>
      <p>It was answered, or it never began. Begin the payment again in the shop.</p>
    </main>
  );
  return showPage({ title: 'No challenge', body, style: 'frames.css', status: 404 });
}

/**
 * Shows the issuer's challenge page. Only the page that asked for it may embed it. The amount is as the shop sent it,
 * unverified.
 */
function showChallenge(state: State, request: HonoRequest): Response {
  const { id = '', amount = '', currency = '' } = request.query();
  const challenge = openChallenge(state, id);
  if (challenge === undefined) return showNone();
  const { origin } = challenge;
  const body = (
    <main class="frame" data-origin={origin}>
      <h1 id="title" tabindex={-1}>
        {texts.challenge.title}
      </h1>
      <AskedPayment shop={origin} amount={`${amount} ${currency}`} />
      <div class="actions">
        <AnswerButtons />
      </div>
      <p class="soft note">{texts.challenge.note}</p>
    </main>
  );
  const title = "The bank's question";
  return showPage({ title, body, style: 'frames.css', script: 'challenge.js', framedBy: origin });
}

/**
 * Serves `Gateway.js` with the sandbox's public key, so that the script reports a wrong key at once. The key is
 * block-scoped, so the page cannot read it.
 */
async function serveGateway(publicKey: string): Promise<Response> {
  const asset = await serveAsset('Gateway.js');
  const text = `{const sandboxPublicKey=${JSON.stringify(publicKey)};\n${await asset.text()}}\n`;
  return new Response(text, { headers: asset.headers });
}

/** Serves the service's script `Gateway.js` and its endpoints. */
export function gatewayPages({ state, settings: { publicKey }, exchange }: PageContext): Hono {
  const app = new Hono();
  const audience = { publicKey, anyOrigin: true };
  app.get('/js/Gateway.js', ({ req }) => exchange.show(req, 'scripts.load', () => serveGateway(publicKey)));
  app.post('/browser/device-sessions', ({ req }) =>
    exchange.show(req, 'risk.collectDeviceData', (cause) =>
      answerForm(req, audience, () => ({ id: state.unit(() => addDeviceSession(state), { cause }).id })),
    ),
  );
  app.post('/browser/authentications', ({ req }) =>
    exchange.show(req, 'threeDSecure.authenticate', (cause) =>
      answerForm(req, audience, (form) =>
        state.unit(() => stepOn(state, form, req.header('origin')), { cause }),
      ),
    ),
  );
  app.get('/browser/challenge', ({ req }) =>
    exchange.show(req, 'threeDSecure.challenge', async () => showChallenge(state, req)),
  );
  return app;
}
