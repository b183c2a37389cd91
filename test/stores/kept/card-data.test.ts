/** What is kept of JSON with card data: it stays JSON, and a reader of it misses no value. */

import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { cardNumber } from '../../security/secrets/canaries.ts';
import { webhooksAt } from '../../support/deliveries.ts';

const mask = '[card-6181-masked]';
const spaced = '4716 0839 2750 6181';
const dashed = '4716-0839-2750-6181';

/** Returns what a queue gets of a body. */
async function keptOf(body: string): Promise<string> {
  const bodies: string[] = [];
  const webhooks = webhooksAt();
  const receiver = webhooks.receiver({ store: memoryStore(), enqueue: (job) => void bodies.push(job.body) });
  await receiver.handle({ body, headers: await webhooks.sign(body) });
  return bodies.join();
}

describe('names of an object that are card numbers', () => {
  it.each<[what: string, body: string, expected: string]>([
    [
      'of one card stay apart',
      `{"${cardNumber}":1,"${spaced}":2,"x":3,"${dashed}":4}`,
      `{"${mask}":1,"${mask}-no2":2,"x":3,"${mask}-no3":4}`,
    ],
    ['take no name that stays', `{"${spaced}":1,"${mask}":2}`, `{"${mask}-no2":1,"${mask}":2}`],
    [
      'take no name with a number that stays',
      `{"${spaced}":1,"${mask}-no2":2,"${mask}":3}`,
      `{"${mask}-no3":1,"${mask}-no2":2,"${mask}":3}`,
    ],
    [
      'that are equal stay so',
      `{"${spaced}":1,"${cardNumber}":2,"${spaced}":3}`,
      `{"${mask}":1,"${mask}-no2":2,"${mask}":3}`,
    ],
    [
      'have the same name in different objects, and beside values',
      `[{"${spaced}":"${mask}"},{"${dashed}":"${dashed}","a":"${spaced}","b":{"${spaced}":1}}]`,
      `[{"${mask}":"${mask}"},{"${mask}":"${mask}","a":"${mask}","b":{"${mask}":1}}]`,
    ],
    [
      'of two cards need no number',
      `{"${spaced}":1,"3782 901470 58367":2}`,
      `{"${mask}":1,"[card-8367-masked]":2}`,
    ],
    ['leave names that come twice as they are', `{"a":1,"${spaced}":2,"a":3}`, `{"a":1,"${mask}":2,"a":3}`],
  ])('%s', async (_what, body, expected) => {
    expect(await keptOf(body)).toBe(expected);
    expect(await keptOf(expected)).toBe(expected);
  });
});

describe('JSON in a string', () => {
  const inString = (json: string) => JSON.stringify({ note: json });

  it.each<[what: string, json: string, expected: string]>([
    ['with a number', `{"n":${cardNumber}}`, `{"n":"${mask}"}`],
    ['with blanks before it', ` \n[${cardNumber}, "a"]`, ` \n["${mask}", "a"]`],
    ['with an id, which is data of the user', `{"id":"${cardNumber}"}`, `{"id":"${mask}"}`],
    ['with a number as an id', `{"id":${cardNumber}}`, `{"id":"${mask}"}`],
    ['with names of one card', `{"${spaced}":1,"${dashed}":2}`, `{"${mask}":1,"${mask}-no2":2}`],
    ['with a number in JSON in a string', inString(`[${cardNumber}]`), inString(`["${mask}"]`)],
  ])('stays JSON %s', async (_what, json, expected) => {
    expect(await keptOf(inString(json))).toBe(inString(expected));
    expect(await keptOf(inString(expected))).toBe(inString(expected));
  });

  it.each<[what: string, text: string, expected: string]>([
    ['other text', `[no JSON] {${cardNumber}`, `[no JSON] {${mask}`],
    ['a number alone', cardNumber, mask],
    ['a card in several values', '["4716","0839","2750","6181"]', `["${mask}"]`],
  ])('is masked as a text if it is %s', async (_what, text, expected) => {
    expect(await keptOf(inString(text))).toBe(inString(expected));
  });
});
