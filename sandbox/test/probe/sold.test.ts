/** Reaches inside: services that lose, refuse and forget the sales of the probe, in this process. */

import { describe, expect, test } from 'vitest';
import { type Answer, type Question, toAnswer } from '../../src/probe/question.ts';
import { Unanswered } from '../../src/probe/sender.ts';
import { type Ask, probeBy } from './support.ts';

const answer = (status: number, text: string): Answer => toAnswer(status, { get: () => null }, text);
const approved = answer(200, 'response=1&transactionid=1042');
const refused = answer(200, 'response=3&responsetext=No');
const lost = (): never => {
  throw new Unanswered('ECONNRESET');
};

interface Behaviour {
  /** Answers a sale. Default: approves it. */
  readonly sell?: () => Answer;
  /** Answers a void. Default: approves it. */
  readonly void?: () => Answer;
  /** Answers anything that is no transaction. */
  readonly other?: (question: Question) => Answer;
}

/** Probes such a service, and returns the sales and voids that it got. */
async function probed(
  { sell = () => approved, other, ...behaviour }: Behaviour,
  keys: readonly string[] = [],
) {
  const moves: string[] = [];
  const ask: Ask = async (question) => {
    if (question.kind === 'form') return answer(200, `response=3&responsetext=${question.securityKey}`);
    if (question.kind !== 'transaction') return other?.(question) ?? answer(404, '');
    const { transaction } = question;
    if (transaction.type === 'validate') return approved;
    moves.push('transactionid' in transaction ? `void ${transaction.transactionid}` : 'sale');
    return transaction.type === 'sale' ? sell() : (behaviour.void ?? (() => approved))();
  };
  const allows = new Set(['a test key', '--form', '--sale'] as const);
  return { report: await probeBy(ask, allows, keys), moves };
}

describe('what --sale sold', () => {
  test('is voided once', async () => {
    const { report, moves } = await probed({});
    expect(moves).toEqual(['sale', 'void 1042']);
    expect(report.leftovers).toEqual([]);
  });

  test.each<readonly [string, Behaviour, string | undefined, string]>([
    ['the service refuses the void', { void: () => refused }, '1042', 'its void was not approved'],
    ['the void is lost', { void: lost }, '1042', 'its void ended with ECONNRESET'],
    ['the void gets a page', { void: () => answer(502, '<html>') }, '1042', 'its void was not approved'],
    ['the sale is lost', { sell: lost }, undefined, 'the sale ended with ECONNRESET, and may have succeeded'],
    ...[200, 302, 402, 408, 409, 422, 460, 500].map(
      (status): readonly [string, Behaviour, undefined, string] => [
        `the sale gets a ${status}`,
        { sell: () => answer(status, '<html>') },
        undefined,
        `the sale got an unreadable ${status}, and may have succeeded`,
      ],
    ),
    ...[
      '{}',
      '{"error":{"code":"conflict"}}',
      '{"type":"sale"}',
      '{"type":"SALE"}',
      '{"decline_code":"sale"}',
      'BAD_AMOUNT: no',
    ].map((text): readonly [string, Behaviour, undefined, string] => [
      `the sale gets a 409 with ${text}`,
      { sell: () => answer(409, text) },
      undefined,
      'the sale got an unreadable 409, and may have succeeded',
    ]),
    [
      'the answer to the sale has no id',
      { sell: () => answer(200, 'response=1') },
      undefined,
      'the answer to the sale has no id that can be shown',
    ],
    [
      'the answer to the sale has an unusable id',
      { sell: () => answer(200, 'response=1&transactionid=7%26type%3Dsale') },
      undefined,
      'the answer to the sale has no id that can be shown',
    ],
  ])('is reported, if %s', async (_, behaviour, id, reason) => {
    const { report, moves } = await probed(behaviour);
    expect(report.leftovers).toEqual([{ path: '/api/transact.php', id, reason }]);
    expect(moves).toEqual(id === undefined ? ['sale'] : ['sale', 'void 1042']);
  });

  test.each([
    refused,
    answer(403, ''),
    answer(422, '{}'),
    answer(409, '{"error":{"code":"BAD_AMOUNT"}}'),
    answer(402, '{"decline_code":"insufficient_funds"}'),
  ])('is nothing after a refusal', async (refusal) => {
    const { report, moves } = await probed({ sell: () => refusal });
    expect(report.leftovers).toEqual([]);
    expect(moves.filter((move) => move !== 'sale')).toEqual([]);
  });

  test('is voided after a 429 ended the probe', async () => {
    let isSold = false;
    const { report, moves } = await probed({
      sell: () => {
        isSold = true;
        return approved;
      },
      other: () => answer(isSold ? 429 : 404, ''),
    });
    expect(report.stopped).toContain('429');
    expect(moves).toEqual(['sale', 'void 1042']);
    expect(report.leftovers).toEqual([]);
  });

  test('is not voided by an id that is a key', async () => {
    const key = 'sec-9HqLyjWDarjtT1zdp7dcXy';
    const { report, moves } = await probed({ sell: () => answer(200, `response=1&transactionid=${key}`) }, [
      key,
    ]);
    expect(moves).toEqual(['sale']);
    expect(JSON.stringify(report)).not.toContain(key);
    expect(report.leftovers).toHaveLength(1);
  });
});
