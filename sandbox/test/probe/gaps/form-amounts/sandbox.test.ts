/** Reaches inside: the probe has no public entry. Here it asks a sandbox of each form. */

import { createSandbox } from 'payments-client-sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Question } from '../../../../src/probe/question.ts';
import { type Ask, askSandbox, lineOf, page, probeBy, withJson } from '../../support.ts';

const forms = ['currency', 'two-decimals', 'integer'] as const;

describe.each(forms)('a sandbox with %s amounts', (form) => {
  /** The sandbox, with the charges of its form sales in the list of charges. */
  function start(isStated: boolean) {
    const sandbox = createSandbox({ interface: { formAmounts: form } });
    onTestFinished(() => sandbox.close());
    const ask = askSandbox(sandbox);
    const sales: Question[] = [];
    const stating: Ask = async (question) => {
      if (question.kind === 'transaction' && question.transaction.type === 'sale') sales.push(question);
      const answer = await ask(question);
      if (!isStated || !('path' in question) || question.path !== '/v1/charges') return answer;
      const charges = sandbox.transactions.map(({ id, amount, currency, orderid }) => ({
        id: `ch_${id}`,
        object: 'charge',
        livemode: false,
        amount: Number(amount.replace('.', '')),
        currency: currency.toLowerCase(),
        metadata: { orderid },
      }));
      return withJson(answer, page(charges));
    };
    return { sandbox, ask: stating, sales };
  }

  test('that lists its sales as charges is known, and keeps no sale', async () => {
    const { sandbox, ask, sales } = start(true);
    const report = await probeBy(ask);
    expect(report.known).toMatchObject({ formAmounts: form });
    const verdict = form === 'currency' ? 'as assumed' : 'differs';
    expect(lineOf(report, 'G82')).toMatchObject({ verdict, detail: form });
    expect(report.leftovers).toEqual([]);
    expect(sales.length).toBeLessThanOrEqual(3);
    const kept = sandbox.transactions.filter(({ status }) => status !== 'voided' && status !== 'validated');
    expect(kept).toEqual([]);
    expect(sandbox.transactions.some(({ status }) => status === 'voided')).toBe(true);
  });

  test('that states nothing stays undecided', async () => {
    const { sandbox, ask } = start(false);
    const report = await probeBy(ask);
    expect(lineOf(report, 'G82')).toMatchObject({ verdict: 'not seen' });
    expect(report.known).not.toHaveProperty('formAmounts');
    expect(sandbox.transactions.map(({ status }) => status)).not.toContain('pending');
  });
});
