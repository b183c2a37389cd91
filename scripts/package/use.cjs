/** Uses every entry and every dependency: JSON calls, a form, a webhook, and a sandbox over HTTP. */
exports.use = async ({ sdk, browser, fraud, stores, webhooks, sandbox: { createSandbox } }) => {
  const expect = (name, expected, got) => {
    if (got !== expected) throw new Error(`${name}: expected ${expected}, got ${got}`);
  };
  const gateway = { baseUrl: 'https://payments.test', apiKey: 'pk_1', environment: 'sandbox' };
  const refused = await browser.loadGateway(gateway).catch((reason) => reason);
  expect('loadGateway', 'not_in_browser', refused instanceof browser.BrowserError && refused.code);
  expect('AVS code Y', true, fraud.readChecks({ avsresponse: 'Y' }).avs.street);
  const sandbox = createSandbox();
  const { url: baseUrl, secretKey, securityKey, fetch } = sandbox;
  const payments = new sdk.PaymentsClient({ baseUrl, secretKey, fetch });
  const intent = await payments.paymentIntents.create(
    { amount: 1200, currency: 'usd' },
    { operationId: 'order-1' },
  );
  expect('amount', 1200, intent.amount);
  const transact = new sdk.Transact({ baseUrl, securityKey, formEncoding: 'multipart', fetch });
  expect('sale', true, (await transact.sale({ amount: '12.00', payment_token: 'tok_1' })).approved);
  const hooks = new webhooks.Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
  const body = JSON.stringify({ id: 'evt_1', type: 'account.updated' });
  const receiver = hooks.receiver({ store: stores.memoryStore(), on: {} });
  expect('delivery', 'handled', (await receiver.handle({ body, headers: await hooks.sign(body) })).outcome);
  await sandbox.listen();
  const remote = new sdk.PaymentsClient({ baseUrl: sandbox.url, secretKey });
  expect('intent over HTTP', intent.id, (await remote.paymentIntents.retrieve(intent.id)).id);
  await sandbox.close();
};
