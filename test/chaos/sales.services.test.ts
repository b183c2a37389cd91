/**
 * Sales over the form endpoint, which has no idempotency keys, with the same faults: none is sent twice, and each
 * reported outcome is true.
 */

import { expect, it } from 'vitest';
import { groupBy } from '../../src/base/group-by.ts';
import { startSandbox } from '../support/sandbox.ts';
import { bySize } from '../support/size.ts';
import { expectTruth, recordsOf, report, tallyFailures } from './books.ts';
import { runThroughChaos, seed } from './run.ts';

const operations = bySize({ short: 200, all: 1_000, long: 4_000 });

it(`${operations} sales are sent once each at most (seed ${seed})`, { timeout: 600_000 }, async () => {
  const sandbox = await startSandbox();
  const { proxy, entries, kills, inFlight } = await runThroughChaos({
    sandbox,
    operations,
    script: 'sale-worker.ts',
    nameOf: (_, body) => new URLSearchParams(body.toString()).get('amount') ?? '',
  });

  expect([...proxy.arrivals].filter(([, times]) => times !== 1)).toEqual([]);
  const booked = groupBy(sandbox.transactions, ({ amount }) => amount);
  for (const [operation, story] of recordsOf(entries)) {
    const effects = booked.get(operation) ?? [];
    expectTruth(operation, story, effects);
    for (const answer of story.answers) expect(answer).toMatchObject({ transactionid: effects[0]?.id });
  }

  const failures = entries.filter((entry) => entry.kind === 'failed');
  const unsure = failures.filter(({ outcome }) => outcome === 'unknown');
  const booksOf = (outcome: string) =>
    failures.filter((failure) => failure.outcome === outcome && booked.has(failure.operation)).length;
  report(`chaos, ${operations} sales`, {
    requests: proxy.requests,
    kills,
    'calls cut off by them': inFlight,
    'of unknown outcome': unsure.length,
    'that took effect anyway': booksOf('unknown'),
  });
  report('chaos, faults', Object.fromEntries([...proxy.faults].sort()));
  report('chaos, errors', tallyFailures(entries));
  expect(kills).toBeGreaterThan(0);
  // Both kinds must occur, or the test proves nothing.
  expect(booksOf('unknown')).toBeGreaterThan(0);
  expect(unsure.length).toBeGreaterThan(booksOf('unknown'));
});
