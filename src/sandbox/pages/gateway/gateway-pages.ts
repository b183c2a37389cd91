import { Hono, type HonoRequest } from 'hono';
import { addDeviceSession } from '../../transact/device-session.ts';
import type { PageContext } from '../page-context.ts';
import { answerForm } from './answer.ts';
import { stepOn } from './authentication.ts';
import { showChallenge } from './challenge-page.ts';
import { serveGateway } from './script.ts';

function challengeOf(parts: PageContext, request: HonoRequest): Promise<Response> {
  const { id = '', amount = '', currency = '' } = request.query();
  return showChallenge(parts.state, id, { amount, currency });
}

/** Serves the service's script `Gateway.js` and its endpoints. */
export function gatewayPages(parts: PageContext): Hono {
  const { state, settings, exchange } = parts;
  const { publicKey } = settings;
  const app = new Hono();
  const audience = { publicKey, anyOrigin: true };
  app.get('/js/Gateway.js', ({ req }) => exchange.show(req, 'scripts.load', () => serveGateway(publicKey)));
  app.post('/browser/device-sessions', ({ req }) =>
    exchange.show(req, 'risk.collectDeviceData', () =>
      answerForm(req, audience, () => ({ id: state.unit(() => addDeviceSession(state)).id })),
    ),
  );
  app.post('/browser/authentications', ({ req }) =>
    exchange.show(req, 'threeDSecure.authenticate', () =>
      answerForm(req, audience, (form) => state.unit(() => stepOn(state, form, req.header('origin')))),
    ),
  );
  app.get('/browser/challenge', ({ req }) =>
    exchange.show(req, 'threeDSecure.challenge', () => challengeOf(parts, req)),
  );
  return app;
}
