/** Parses the events of the interface. */

import { fieldsInTable } from './fields.ts';
import { captured, cell, codesIn, lineWith, sectionOf, tableOf } from './markdown.ts';

const catalogOf = (section: string) =>
  tableOf(section, 'Type').map((row) => ({
    type: cell(row, 'Type'),
    object: cell(row, 'data.object'),
    operations: cell(row, 'operations') === 'none' ? [] : cell(row, 'operations').split(', '),
  }));

/** The fields of the chargeback notification: "`event` (`chargeback.received`), `amount` (decimal string)". */
function chargebackOf(section: string) {
  const line = lineWith(section, 'A chargeback webhook has fields');
  return [...line.matchAll(/`(\w+)`(?: \(`([^`]+)`\)| \(([^)]+)\))?/g)].map(([, name = '', value, form]) => ({
    name,
    ...(value !== undefined && { value }),
    ...(form !== undefined && { form }),
  }));
}

export function readEvents(page: string) {
  const section = sectionOf(page, '6. Events');
  const connect = sectionOf(page, 'Hosted Connect lifecycle (catalog v4)');
  const endpoints = sectionOf(page, '4. Endpoints');
  return {
    envelope: fieldsInTable(tableOf(section, 'Field')),
    catalog: catalogOf(sectionOf(page, 'Catalog')),
    reserved: [captured(lineWith(section, 'is defined but never sent'), /`([^`]+)`/)],
    operations: codesIn(lineWith(endpoints, 'The field `operations`')).slice(1),
    connect: {
      types: codesIn(lineWith(connect, 'Named types:')),
      snapshot: codesIn(lineWith(connect, 'Snapshot ordering:')).slice(0, 2),
      /** Named, but on no particular object. */
      others: [
        ...codesIn(lineWith(connect, 'A completed visit')),
        ...codesIn(lineWith(connect, 'Map your customer')),
      ],
      scopes: codesIn(lineWith(connect, '`version_scope` is one of')).slice(1),
    },
    chargeback: chargebackOf(section),
  };
}
