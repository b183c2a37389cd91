/** Parses the table of states. */

import { captured, cell, type Row, sectionOf, tableOf } from './markdown.ts';

/** One row of the table of states. */
export interface ShownTransition {
  readonly resource: string;
  /** The text of the table: a state, `(none)`, `any`, or `-`. */
  readonly from: string;
  readonly trigger: string;
  /** The fields with a value after the transition. */
  readonly to: Readonly<Record<string, string | boolean | null>>;
  /** The fields that are no longer null after the transition. */
  readonly set: readonly string[];
  /** The fields incremented by one. */
  readonly incremented: readonly string[];
  readonly event: string;
}

function toValue(text: string): string | boolean | null {
  if (text === 'null') return null;
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

/** If the table names no field, the state is in `status`. */
function valuesIn(text: string): ShownTransition['to'] {
  const [, state] = /^`(\w+)`(?: with .*|,.*)?$/.exec(text) ?? [];
  const pairs = [...text.matchAll(/`?(\w+)`? (?:`(\w+)`|(null|true|false))/g)]
    .filter(([, name]) => name !== 'with' && name !== 'and')
    .map(([, name = '', code, word = '']) => [name, toValue(code ?? word)] as const);
  return { ...(state !== undefined && { status: state }), ...Object.fromEntries(pairs) };
}

const namesBefore = (text: string, word: string) =>
  [...text.matchAll(new RegExp(`((?:\`\\w+\`(?: and )?)+) ${word}`, 'g'))].flatMap(([, names = '']) =>
    names.replaceAll('`', '').split(' and '),
  );

function toTransition(row: Row): ShownTransition {
  const to = cell(row, 'To');
  return {
    resource: cell(row, 'Resource'),
    from: cell(row, 'From'),
    trigger: cell(row, 'Trigger').replaceAll('`', ''),
    to: valuesIn(to),
    set: namesBefore(to, 'set'),
    incremented: namesBefore(to, 'incremented'),
    event: captured(cell(row, 'Also'), /^event `([^`]+)`/),
  };
}

export const readStates = (page: string): readonly ShownTransition[] =>
  tableOf(sectionOf(page, '3. States and transitions'), 'Resource').map(toTransition);
