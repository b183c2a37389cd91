/** Reaches inside: compares the tables of docs/payment-lifecycle.md with the transitions that the SDK knows. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { transitions } from '../../src/resources/transitions.ts';

const page = readFileSync(new URL('../../docs/payment-lifecycle.md', import.meta.url), 'utf8');

const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

/** The transitions in the table below a heading. */
function transitionsBelow(heading: string) {
  const [, rest = ''] = page.split(`### ${heading}\n`);
  const [section = ''] = rest.split('\n##');
  const rows = section.split('\n').filter((line) => /^\| [–`]/.test(line));
  return rows.map((row) => {
    const [from = '', , to = '', event = ''] = row.slice(2, -2).split(' | ');
    return {
      from: from === '–' ? 'none' : namesIn(from),
      to: namesIn(to)[0],
      event: namesIn(event)[0],
      isInferred: from.includes('_inferred_'),
      isReserved: event.includes('reserved'),
    };
  });
}

it.each([
  ['Checkout session', transitions.checkout_session.transitions],
  ['Payment intent', transitions.payment_intent.transitions],
  ['Charge', transitions.charge.transitions],
  ['Refund', transitions.refund.transitions],
  ['Terminal batch', transitions.terminal_batch.transitions],
])('%s: the table contains each transition', (heading, exported) => {
  expect(transitionsBelow(heading)).toEqual(
    exported.map(({ from, to, event, inferredFrom, reserved }) => ({
      from,
      to,
      event,
      isInferred: inferredFrom === true,
      isReserved: reserved === true,
    })),
  );
});
