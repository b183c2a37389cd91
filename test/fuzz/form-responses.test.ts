/**
 * Responses of the form endpoint: a payment is approved only if the single `response` is exactly 1, which an independent parser
 * checks here. `test/fuzz/transact.test.ts` runs a million more cases, and checks the whole result.
 */

import { ResponseValidationError, type TransactionResult } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { saleParams } from '../support/fixtures.ts';
import { endingOf, useScriptedService } from './answering.ts';
import { runCampaign, seed } from './campaign.ts';

const service = useScriptedService();

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function jsonResponses(text: string): unknown[] {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && 'response' in json ? [json.response] : [];
  } catch {
    return [];
  }
}

/** Returns all values of `response` in a body, in any format. */
function responsesIn(bytes: Uint8Array): unknown[] {
  const text = new TextDecoder().decode(bytes).trim();
  if (text.startsWith('{')) return jsonResponses(text);
  // A body with one unescaped value has no escapes at all.
  const read = /^[!-~]*$/.test(text) ? decoded : String;
  return text.split('&').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=');
    // A part without `=` belongs to the text before it.
    return value.length > 0 && read(name).trim() === 'response' ? [read(value.join('=')).trim()] : [];
  });
}

function expectApproved(bytes: Uint8Array, result: TransactionResult): void {
  const responses = responsesIn(bytes);
  expect(responses).toHaveLength(1);
  expect(String(responses[0]).trim()).toBe('1');
  expect(result).toMatchObject({ response: '1', errored: false });
}

describe('the parser of form responses', () => {
  it(`approves only if response is 1 (seed ${seed})`, async () => {
    const { transact } = service.client({ securityKey: 'security-key-fuzz-0001' });
    const tally = await runCampaign({
      parser: 'form-responses',
      vocabulary: [
        'response',
        'response=1',
        'response=2',
        '=',
        '&',
        '%',
        '%31',
        '+',
        ' ',
        '1',
        '"response":',
        '"1"',
        '{',
        '}',
        ',',
      ],
      caseCount: 1000,
      check: async (bytes, entry) => {
        service.answers(() => ({ body: bytes }));
        const ending = await endingOf(transact.sale(saleParams));
        const verdict =
          'error' in ending ? 'refused' : Object(ending.value).approved ? 'approved' : 'declined';
        if (entry !== undefined) expect(verdict).toBe(entry.ending);
        if ('error' in ending) {
          if (!(ending.error instanceof ResponseValidationError)) throw ending.error;
          expect(ending.error.outcome).toBe('unknown');
        } else if (verdict === 'approved') {
          expectApproved(bytes, Object(ending.value));
        }
        return verdict;
      },
    });
    expect([...tally.keys()].sort()).toEqual(['approved', 'declined', 'refused']);
  });
});
