/** @jest-environment jsdom */
test('is imported in a simulated page', () => {
  expect(new (require('payments-client').PaymentsError)('x').outcome).toBe('not_an_operation');
  expect(typeof require('payments-client/webhooks').Webhooks).toBe('function');
});
