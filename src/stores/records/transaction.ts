import { type ConfigurationError, configurationError } from '../../base/errors.ts';
import { checkOptions, functionOf } from '../../base/schema/options.ts';
import { lazily } from '../../base/schema/schema.ts';

const runSchema = /* @__PURE__ */ lazily(() => functionOf());

/** @throws ConfigurationError for a value that cannot run in a transaction. */
export function checkRun(run: unknown): void {
  checkOptions(
    'transaction.run',
    runSchema,
    run,
    'Pass a function, which gets the client and the documents.',
  );
}

/** Returns the error for documents of a transaction that are used after its end. */
export function transactionEnded(): ConfigurationError {
  const issue = {
    path: 'transaction.documents',
    expected: 'an open transaction',
    received: 'one that has ended',
  };
  return configurationError([issue], 'Nothing was saved: finish all calls before the function returns.');
}
