/** webpack and rspack bundle what a program requires without a warning. */
import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { rspack } from '@rspack/core';
import webpack from 'webpack';

for (const entry of [
  'payments-client',
  'payments-client/journal',
  'payments-client/orders',
  'payments-client/webhooks',
  'payments-client/stores',
]) {
  const program = resolve('required.cjs');
  writeFileSync(program, `module.exports = require('${entry}');`);
  for (const [name, bundler] of Object.entries({ webpack, rspack })) {
    for (const target of ['node', 'webworker']) {
      const output = { path: resolve('out'), filename: `${name}.cjs`, library: { type: 'commonjs2' } };
      const stats = await promisify(bundler)({
        mode: 'production',
        target,
        entry: program,
        output,
        performance: false,
      });
      const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
      assert.deepEqual(
        [...errors, ...warnings].map(({ message }) => message),
        [],
        `${name}, ${target}, ${entry}`,
      );
    }
  }
}

// What a page may use without the client comes without it.
const names =
  'deriveIdempotencyKey, formatAmount, isDecline, isTerminal, toDate, toDecimalAmount, toMinorUnits, unknownField';
for (const name of names.split(', ')) {
  writeFileSync('used.mjs', `export { ${name} } from 'payments-client';`);
  const output = { path: resolve('out'), filename: 'used.mjs', library: { type: 'module' } };
  const options = {
    mode: 'production',
    target: 'web',
    entry: resolve('used.mjs'),
    output,
    performance: false,
  };
  await promisify(webpack)({ ...options, experiments: { outputModule: true } });
  const { size } = statSync('out/used.mjs');
  assert(size < 25_000, `${name}: ${size} bytes`);
}
