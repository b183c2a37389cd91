import { NotFoundError } from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { createClient, json, text, useMockService } from '../support/mock-service.ts';

const service = useMockService();
const hint = 'is inferred, not documented';

it.each([
  { code: 'resource_missing', message: "No such refund: 'rf_1'" },
  { error: { code: 'OBJECT_NOT_FOUND', message: "There is no refund 'rf_1'." } },
  { code: 'refund_not_found' },
  { message: 'The refund was not found.' },
])('does not blame the path if the object is missing: %j', async (body) => {
  service.answers(json(body, { status: 404 }));
  const error = await failureOf(createClient().refunds.retrieve('rf_1'), NotFoundError);
  expect(error.message).not.toContain(hint);
});

it.each([
  json({}, { status: 404 }),
  json({ code: 'not_found', message: 'Not Found' }, { status: 404 }),
  json({ code: 'ROUTE_NOT_FOUND', message: 'There is no such route.' }, { status: 404 }),
  json({ message: 'Cannot GET /v1/refunds/rf_1' }, { status: 404 }),
  json({ message: 'Invalid URL (object refund)' }, { status: 404 }),
  text('No such refund', { status: 404 }),
])('explains that the path may be wrong if the body names no object: %#', async (response) => {
  service.answers(response);
  const error = await failureOf(createClient().refunds.retrieve('rf_1'), NotFoundError);
  expect(error.message).toContain(hint);
});

it('recognizes the objects of a follow-up by their path', async () => {
  service.answers(json({ message: 'Unknown payment intent' }, { status: 404 }));
  const call = createClient().paymentIntents.cancel('pi_1', { operationId: 'order-1' });
  expect((await failureOf(call, NotFoundError)).message).not.toContain(hint);
});

it('accepts a corrected path of any characters', async () => {
  service.answers(json({ message: 'Not Found' }, { status: 404 }));
  const payments = createClient({ routes: { 'refunds.retrieve': 'GET /v1/(refunds*/{id}' } });
  expect((await failureOf(payments.refunds.retrieve('rf_1'), NotFoundError)).status).toBe(404);
});

it('is short for a feature that the sandbox lacks', async () => {
  const { url: baseUrl, secretKey, fetch } = createSandbox();
  const call = createClient({ baseUrl, secretKey, fetch }).refunds.retrieve('rf_1');
  expect((await failureOf(call, NotFoundError)).message).toBe(
    "Not found. refunds.retrieve: status 404, code OBJECT_NOT_FOUND, request id req_000000000001. The service says: There is no refund 'rf_1'.",
  );
});
