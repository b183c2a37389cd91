/** Functions, classes and stacks have readable names. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { inspect } from 'node:util';
import { entries as esm } from './esm.mjs';

const { entries: cjs } = createRequire(import.meta.url)('./commonjs.cjs');
for (const build of [esm, cjs]) {
  for (const [name, value] of Object.values(build).flatMap((entry) => Object.entries(entry)))
    if (typeof value === 'function' && name !== 'module.exports') assert.equal(value.name, name);
  const sandbox = build.sandbox.createSandbox();
  const payments = new build.sdk.PaymentsClient({
    baseUrl: sandbox.url,
    secretKey: sandbox.secretKey,
    fetch: sandbox.fetch,
  });
  const printed = inspect([payments, sandbox], { depth: 1 });
  assert.match(printed, /refunds: Refunds \{/);
  assert.doesNotMatch(printed, /\b_[A-Z]\w* \{|\b[A-Z][A-Za-z]*\d \{/);
  const promise = payments.refunds.retrieve('rf_1');
  assert.match(inspect(promise), /^ApiPromise \{/);
  const error = await promise.catch((reason) => reason);
  for (const text of [error.stack, inspect(error)])
    assert.match(text, /^NotFoundError: Not found\. refunds\.retrieve/);
  // A refusal is thrown while the method runs, so its frames are in the stack.
  const { stack } = await payments.refunds.retrieve('').catch((reason) => reason);
  assert.match(stack, /at Refunds\.retrieve \(/);
}
