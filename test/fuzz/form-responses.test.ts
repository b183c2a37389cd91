/**
 * Responses of the form endpoint: a payment is approved only if the single `response` is exactly 1, which an
 * independent reader checks here. `test/fuzz/transact.test.ts` runs a million more, and checks the whole result.
 */

import { ResponseValidationError, type TransactionResult } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { saleParams } from '../support/fixtures.ts';
import { endingOf, useAnsweringService } from './answering.ts';
import { attack, patience, seed } from './campaign.ts';

const service = useAnsweringService();

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

/** All that an answer says of `response`, however it is written. */
function responsesIn(bytes: Uint8Array): unknown[] {
  const text = new TextDecoder().decode(bytes).trim();
  if (text.startsWith('{')) return jsonResponses(text);
  // Where anything is not escaped, nothing is.
  const read = /^[!-~]*$/.test(text) ? decoded : String;
  return text.split('&').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=');
    // Without a `=` it is a part of the text before it.
    return value.length > 0 && read(name).trim() === 'response' ? [read(value.join('=')).trim()] : [];
  });
}

function expectApproved(bytes: Uint8Array, result: TransactionResult): void {
  const responses = responsesIn(bytes);
  expect(responses).toHaveLength(1);
  expect(String(responses[0]).trim()).toBe('1');
  expect(result).toMatchObject({ response: '1', errored: false });
}

describe('the reader of form responses', () => {
  it(`approves where response is 1 alone (seed ${seed})`, { timeout: patience }, async () => {
    const { transact } = service.client({ securityKey: 'security-key-fuzz-0001' });
    const tally = await attack({
      parser: 'form-responses',
      words: [
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
      tries: 1000,
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
