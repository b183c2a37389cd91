import { describe, expect, test } from 'vitest';
import { parse } from '../../../../test/support/parse.ts';
import { illegalMove, read, refusal, start } from '../../../../test/support/sandbox-requests.ts';

const second = 1_767_225_600;
const tooMuch = [422, 'CREDIT_EXCEEDS_INVOICE'];

/** Creates an invoice of three lines with a tax that cannot be divided evenly: 1000 + 100. */
function withInvoice() {
  const service = start();
  const line = { quantity: 1, unit_amount: 333, amount: 333, currency: 'EUR' };
  const invoice = service.sandbox.add('invoice', {
    currency: 'EUR',
    subtotal: 1000,
    tax: 100,
    total: 1100,
    lines: [
      { ...line, id: 'il_tea', description: 'Tea' },
      { ...line, id: 'il_cup', description: 'Cup' },
      { ...line, id: 'il_pot', description: 'Pot', quantity: 2, unit_amount: 167, amount: 334 },
    ],
  });
  const issue = (more: Readonly<Record<string, unknown>> = {}) =>
    service.request('/v1/credit_notes', { body: { invoice: invoice.id, ...more } });
  const issued = async (more?: Readonly<Record<string, unknown>>) =>
    parse('credit_note', await read(await issue(more)));
  const takeBack = (id: string) => service.request(`/v1/credit_notes/${id}/void`, { method: 'POST' });
  return { ...service, invoice, issue, issued, takeBack };
}

test('a credit note without lines credits the whole invoice', async () => {
  const { invoice, issued, request } = withInvoice();
  const note = await issued();
  expect(note).toMatchObject({
    id: expect.stringMatching(/^cn_/),
    invoice: invoice.id,
    customer: invoice.customer,
    currency: 'EUR',
    status: 'issued',
    reason: 'product_unsatisfactory',
    type: 'post_payment',
    subtotal: 1000,
    tax: 100,
    total: 1100,
    memo: null,
    refund: null,
    metadata: {},
    created: second,
    effective_at: second,
    voided_at: null,
  });
  expect(note.lines).toMatchObject([
    { invoice_line_item: 'il_tea', description: 'Tea', quantity: 1, unit_amount: 333, amount: 333, tax: 33 },
    { invoice_line_item: 'il_cup', amount: 333, tax: 34 },
    { invoice_line_item: 'il_pot', quantity: 2, unit_amount: 167, amount: 334, tax: 33 },
  ]);
  expect(await read(await request(`/v1/credit_notes/${note.id}`))).toEqual(note);
});

test('a credit note returns its parameters', async () => {
  const { issued } = withInvoice();
  const more = { reason: 'duplicate', memo: 'Sorry', metadata: { case: '7' } };
  expect(await issued(more)).toMatchObject(more);
});

describe('a line', () => {
  test.each([
    [{ invoice_line_item: 'il_pot' }, { description: 'Pot', amount: 334, quantity: null, tax: 33 }],
    [
      { invoice_line_item: 'il_pot', quantity: 1 },
      { amount: 167, quantity: 1, tax: 17 },
    ],
    [
      { invoice_line_item: 'il_tea', amount: 50 },
      { amount: 50, invoice_line_item: 'il_tea' },
    ],
    [
      { description: 'Goodwill', amount: 120 },
      { description: 'Goodwill', amount: 120, tax: 12, invoice_line_item: null },
    ],
    [
      { quantity: 3, unit_amount: 40 },
      { amount: 120, quantity: 3, unit_amount: 40 },
    ],
    [{ unit_amount: 40 }, { amount: 40, quantity: null }],
    [
      { type: 'other', amount: 0 },
      { type: 'other', amount: 0, tax: 0 },
    ],
  ])('of %j is credited as %j', async (line, expected) => {
    const { issued } = withInvoice();
    const { lines, subtotal, tax, total } = await issued({ lines: [line] });
    expect(lines).toMatchObject([{ type: 'custom_line_item', ...expected }]);
    expect([subtotal, tax]).toEqual([lines[0]?.amount, lines[0]?.tax]);
    expect(total).toBe(subtotal + tax);
  });
});

test('credits cannot exceed the invoice, and a voided note no longer counts', async () => {
  const { sandbox, issue, issued, takeBack } = withInvoice();
  // A note of another invoice, which does not count for this one.
  sandbox.add('credit_note', { total: 1100 });
  expect(await refusal(await issue({ lines: [{ amount: 1001 }] }))).toEqual(tooMuch);
  const { id } = await issued({ lines: [{ amount: 900 }] });
  expect(await refusal(await issue({ lines: [{ amount: 101 }] }))).toEqual(tooMuch);
  expect((await issue({ lines: [{ amount: 100 }] })).status).toBe(200);
  expect(await refusal(await issue({ lines: [{ amount: 10 }] }))).toEqual(tooMuch);
  await takeBack(id);
  expect((await issue({ lines: [{ amount: 900 }] })).status).toBe(200);
});

test('an issued note can be voided once', async () => {
  const { sandbox, issued, takeBack, request } = withInvoice();
  const note = await issued();
  await sandbox.clock.advance(5_000);
  const voided = parse('credit_note', await read(await takeBack(note.id)));
  expect(voided).toEqual({ ...note, status: 'void', voided_at: second + 5 });
  await sandbox.clock.advance(1_000);
  expect(await refusal(await takeBack(note.id))).toEqual(illegalMove);
  expect(await read(await request(`/v1/credit_notes/${note.id}`))).toEqual(voided);
  expect((await takeBack('cn_nowhere')).status).toBe(404);
});
