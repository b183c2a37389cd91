/** Compares the committed tables with the text of the interface, which is not part of the project. */

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readTables } from '../../scripts/interface/tables.ts';
import browser from './tables/browser.json' with { type: 'json' };
import events from './tables/events.json' with { type: 'json' };
import fraud from './tables/fraud.json' with { type: 'json' };
import resources from './tables/resources.json' with { type: 'json' };
import transitions from './tables/transitions.json' with { type: 'json' };
import wire from './tables/wire.json' with { type: 'json' };

const path = fileURLToPath(new URL('../../../shared/service-interface.md', import.meta.url));
const isThere = existsSync(path);
const reason = 'skipped: the text of the interface is not beside the checkout';
if (!isThere) process.stderr.write(`test/interface/tables.test.ts: ${reason}\n`);

it.skipIf(!isThere)(`the tables are those of the interface${isThere ? '' : ` (${reason})`}`, () => {
  const committed: unknown = { resources, transitions, events, fraud, wire, browser };
  expect(readTables(readFileSync(path, 'utf8'))).toEqual(committed);
});

it('the tables contain 154 fields, 29 events and 29 transitions', () => {
  expect(resources.reduce((total, { fields }) => total + fields.length, 0)).toBe(154);
  expect(events.catalog).toHaveLength(29);
  expect(transitions).toHaveLength(29);
  expect(transitions.map(({ event }) => event).sort()).toEqual(events.catalog.map(({ type }) => type).sort());
});
