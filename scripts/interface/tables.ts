/** Returns the tables of the service's interface as data. */

import { readBrowser } from './browser.ts';
import { readEvents } from './events.ts';
import { fieldsInTable } from './fields.ts';
import { readFraud } from './fraud.ts';
import { sectionOf, tableOf } from './markdown.ts';
import { readStates } from './states.ts';
import { readWire } from './wire.ts';

function readResources(page: string) {
  const section = sectionOf(page, '2. Resources and their fields');
  const names = [...section.matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name);
  return names.map((name) => ({ name, fields: fieldsInTable(tableOf(sectionOf(page, name), 'Field')) }));
}

/** Returns every table, by file name. */
export const readTables = (page: string) => ({
  resources: readResources(page),
  transitions: readStates(page),
  events: readEvents(page),
  fraud: readFraud(page),
  wire: readWire(page),
  browser: readBrowser(page),
});
