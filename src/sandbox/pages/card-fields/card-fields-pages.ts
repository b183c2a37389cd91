import { Hono, type HonoRequest } from 'hono';
import { CardReader } from '../../transact/card-reader.ts';
import { serveAsset } from '../assets.ts';
import { answerForm } from '../gateway/answer.ts';
import type { PageContext } from '../page-context.ts';
import { showCardFields } from './card-fields-page.ts';
import { checkOwnOrigin, tokenize } from './tokenize.ts';

/** Serves the script `CollectJS.js`, its frame, and the endpoint that the frame sends a card to. */
export function cardFieldsPages({ state, settings, exchange }: PageContext): Hono {
  const { publicKey, securityKey } = settings;
  const cards = new CardReader(securityKey);
  const app = new Hono();
  const makeToken = (request: HonoRequest) =>
    answerForm(request, { publicKey, anyOrigin: false }, (form) => {
      checkOwnOrigin(request);
      return tokenize(state, cards, form);
    });
  app.get('/js/CollectJS.js', ({ req }) =>
    exchange.show(req, 'scripts.load', () => serveAsset('CollectJS.js')),
  );
  app.get('/browser/card-fields', ({ req }) =>
    exchange.show(req, 'cardFields.show', () => showCardFields(req, { publicKey, now: state.clock.now() })),
  );
  app.post('/browser/tokens', ({ req }) => exchange.show(req, 'cardFields.tokenize', () => makeToken(req)));
  return app;
}
