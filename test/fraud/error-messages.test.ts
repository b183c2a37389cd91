import { ConfigurationError } from 'payments-client';
import { fraudFigures, readChecks, VelocityGuard } from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { noCounts } from './records.ts';

describe('an error says what was expected and what came:', () => {
  const rule = { name: 'n', per: 'ip', counts: 'attempts', limit: 1, windowMs: 1, action: 'block' };
  const guard = (changed: object) => () =>
    new VelocityGuard({
      secret: 'a secret of the merchant, random',
      rules: [anything({ ...rule, ...changed })],
      store: memoryStore(),
    });
  const figures = (changed: object) => () => fraudFigures(anything({ ...noCounts, ...changed }));
  const records =
    (...rows: unknown[]) =>
    () =>
      fraudFigures(anything(rows));

  type Row = [message: string, start: () => unknown];

  it.each<Row>([
    ...[
      { name: 'a b', received: 'a string of 3 characters' },
      { name: '', received: 'an empty string' },
      { name: null, received: 'null' },
      { name: 7, received: 'a number' },
      { name: true, received: 'true' },
      { name: Symbol('x'), received: 'a symbol' },
      { name: ['Y', 'N'], received: 'an array of 2' },
      { name: {}, received: 'an object' },
    ].map(
      ({ name, received }): Row => [
        `rules[0].name: expected a name of letters, digits, dots, dashes and underscores, got ${received}`,
        guard({ name }),
      ],
    ),
    [
      "rules[0].limit: expected a decimal string such as '12.00', got 'much'",
      guard({ counts: 'amount', limit: 'much' }),
    ],
    [
      "rules[0].currency: expected a currency code such as 'USD', got 'USDX'",
      guard({ counts: 'amount', limit: '1.00', currency: 'USDX' }),
    ],
    [
      "rules[0].currency: expected a currency code such as 'USD', got the number 7",
      guard({ counts: 'amount', limit: '1.00', currency: 7 }),
    ],
    ["rules[0].currency: expected nothing beside a count, got 'USD'", guard({ currency: 'USD' })],
    [
      "rules[0].currency: expected a currency code such as 'USD', got an array of 1",
      guard({ counts: 'amount', limit: '1.00', currency: ['USD'] }),
    ],
    [
      'VelocityGuard.secret: expected a secret of at least 16 bytes, got null',
      () => new VelocityGuard({ secret: anything(null), store: memoryStore() }),
    ],
    ['fields: expected the columns of a payment, got null. Pass a row.', () => readChecks(anything(null))],
    ['counts.scored: expected an integer from 0, got the number 1.5', figures({ scored: 1.5 })],
    ['counts.frauds: expected an integer from 0, got the number -1', figures({ frauds: -1 })],
    ['counts.frauds: expected an integer from 0, got a string of 1 character', figures({ frauds: '1' })],
    ['counts.scoreSum: expected an integer from 0, got null', figures({ scoreSum: null })],
    ['counts: expected an object, got nothing', () => fraudFigures(anything(undefined))],
    [
      'records[1].approved: expected true or false, got the number 1',
      records({ approved: true }, { approved: 1 }),
    ],
    ['records[0].avsresponse: expected a string, got an object', records({ avsresponse: {} })],
    [
      'records[0].risk_score: expected an integer from 0 to 100, got the number 101',
      records({ risk_score: 101 }),
    ],
    [
      'records[0].risk_score: expected an integer from 0 to 100, got a number',
      records({ risk_score: 4929876512340988 }),
    ],
    [
      'records[0].risk_score: expected an integer from 0 to 100, got a string of 2 characters',
      records({ risk_score: '12' }),
    ],
    ['records[0]: expected an object, got null', records(null)],
  ])('%s', (message, start) => {
    expect(start).toThrow(message);
    expect(start).toThrow(ConfigurationError);
    expect(start).toThrow(/^[\w.[\]]+: expected .+, got .+\. [A-Z].+\.$/);
  });
});
