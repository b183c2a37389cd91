/** Reaches inside: the table of transitions is not public, and the sandbox relies on it. */

import { describe, expect, it } from 'vitest';
import { transitions } from '../../src/resources/transitions.ts';
import events from '../interface/tables/events.json' with { type: 'json' };
import table from '../interface/tables/transitions.json' with { type: 'json' };

const preCapture = ['requires_payment_method', 'requires_action'];

/** The SDK's states behind the words of the interface that are not its names. */
const states: Readonly<Record<string, readonly string[]>> = {
  'customer active': ['false'],
  'customer deleted': ['true'],
  'payment_intent any pre-capture': preCapture,
  'payment_intent pre-capture': preCapture,
  // A closed batch has any of the reconciliation statuses.
  'terminal_batch closed': ['pending', 'reconciled', 'incomplete', 'needs_attention'],
};

/** Returns the states before a transition; `undefined` where the interface leaves them open. */
function statesOf({ resource, from }: (typeof table)[number]): string | readonly string[] | undefined {
  if (from === '-') return undefined;
  if (from === '(none)') return 'none';
  return from === 'any' ? from : (states[`${resource} ${from}`] ?? [from]);
}

/** The interface's table of states: from, to, event, of every row. */
const rows = table.map((row) => ({
  resource: row.resource,
  from: statesOf(row),
  to: Object.entries(row.to),
  event: row.event,
}));

const moves = Object.entries(transitions).flatMap(([object, machine]) =>
  machine.transitions.map((move) => ({ object, field: machine.field, ...move })),
);

describe('transitions', () => {
  it.each(rows)('list $event from $from of a $resource', ({ resource, from, to, event }) => {
    const move = moves.find((one) => one.object === resource && one.event === event);
    const state = new Map(to).get(move?.field ?? '');
    expect(move?.to).toBe(state === undefined ? 'any' : String(state));
    if (from === undefined) expect(move).toMatchObject({ inferredFrom: true });
    else expect(move).toMatchObject({ from });
  });

  it('have exactly the rows of the interface', () => {
    expect(moves.map(({ event }) => event).sort()).toEqual(rows.map(({ event }) => event).sort());
  });

  it('connect only states of their machine', () => {
    for (const { states, transitions: own } of Object.values(transitions)) {
      const known = [...states, 'none', 'any'];
      for (const { from, to } of own) expect(known).toEqual(expect.arrayContaining([from, to].flat()));
    }
  });

  it('mark the one event that is never sent', () => {
    const reserved = moves.filter((move) => 'reserved' in move && move.reserved);
    expect(reserved.map(({ event }) => event)).toEqual(events.reserved);
  });

  it('mark the states that the interface leaves open', () => {
    const inferred = moves.filter((move) => 'inferredFrom' in move && move.inferredFrom);
    const open = rows.filter(({ from }) => from === undefined);
    expect(inferred.map(({ event }) => event).sort()).toEqual(open.map(({ event }) => event).sort());
  });
});
