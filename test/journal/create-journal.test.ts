import { ConfigurationError } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';

it.each<[options: unknown, message: RegExp]>([
  [undefined, /^createJournal\.store: expected a store, such as memoryStore\(\), got nothing\./],
  [null, /^createJournal\.store: expected a store, such as memoryStore\(\), got nothing\./],
  ['journal.sqlite', /^options: expected an object, got .+\. Write createJournal\(\{ store \}\)\.$/],
])('says how to make a journal instead of with the options %j', (options, message) => {
  const make = () => createJournal(anything(options));
  expect(make).toThrow(ConfigurationError);
  expect(make).toThrow(message);
});
