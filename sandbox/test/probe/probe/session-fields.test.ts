import { createSandbox } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { askSandbox, lineOf, probeBy, serviceOf } from '../support.ts';

const names = 'client_reference_id, customer, customer_email, locale, metadata, collect_config';

test('names the fields of a new session that come back', async () => {
  const sandbox = createSandbox();
  const report = await probeBy(askSandbox(sandbox));
  expect(lineOf(report, 'G106')).toMatchObject({ verdict: 'as assumed', detail: `${names} come back` });
  expect(report.leftovers).toEqual([]);
});

test('names the fields that the service drops', async () => {
  const sandbox = createSandbox({ onlyShownFields: true });
  expect(lineOf(await probeBy(askSandbox(sandbox)), 'G106')).toMatchObject({
    verdict: 'differs',
    detail: `does not return ${names}`,
  });
});

/** Returns a sandbox whose answer to a new session is changed. */
function withSessions(change: (session: object) => Response) {
  const sandbox = createSandbox();
  const { secretKey, securityKey } = sandbox;
  return serviceOf(
    async (request) => {
      const isSession = request.method === 'POST' && request.url.endsWith('/v1/checkout/sessions');
      const answer = await sandbox.fetch(request);
      return isSession && answer.ok ? change(Object(await answer.json())) : answer;
    },
    { secretKey, securityKey },
  );
}

test('names the fields that come back among those that do not', async () => {
  const service = withSessions((session) =>
    Response.json({ ...session, locale: null, metadata: { made_by: 'somebody' }, customer: undefined }),
  );
  expect(lineOf(await probeBy(service), 'G106')).toMatchObject({
    verdict: 'differs',
    detail:
      'does not return customer, locale, metadata; client_reference_id, customer_email, collect_config come back',
  });
});

test('says that a service refuses the fields', async () => {
  const service = withSessions(() => Response.json({ error: { code: 'UNKNOWN_FIELD' } }, { status: 400 }));
  const report = await probeBy(service);
  expect(lineOf(report, 'G106')).toMatchObject({
    verdict: 'not seen',
    detail: `the service answered 400 to a session with ${names}`,
  });
});

test('does not open a session without --create', async () => {
  const sandbox = createSandbox();
  const report = await probeBy(askSandbox(sandbox), new Set(['a test key']));
  expect(lineOf(report, 'G106')).toMatchObject({ verdict: 'not asked', detail: 'needs --create' });
  expect(sandbox.events).toEqual([]);
});
