/** Parses table rows that list fields with types and notes. */

import { cell, codesIn, type Row } from './markdown.ts';

/** A field as the interface shows it. Properties that it does not show are absent. */
export interface ShownField {
  readonly name: string;
  readonly type?: string;
  readonly nullable?: true;
  /** Present in some states only. */
  readonly optional?: true;
  readonly prefix?: string;
  /** The values that occur. */
  readonly values?: readonly string[];
  readonly fields?: readonly ShownField[];
}

type Facts = Omit<ShownField, 'name'>;

const isPrefix = (code: string) => code.endsWith('_');

function valuesIn(text: string): Facts {
  const prefix = codesIn(text).find(isPrefix);
  const values = codesIn(text).filter((code) => !isPrefix(code));
  return { ...(prefix !== undefined && { prefix }), ...(values.length > 0 && { values }) };
}

const singular: Readonly<Record<string, string>> = { integers: 'integer', booleans: 'boolean' };

/** Parses a remark in parentheses, and whether it applies to all names before it or only the last one. */
function readRemark(remark: string): { readonly isOfAll: boolean; readonly facts: Facts } {
  const plural = singular[remark];
  if (plural !== undefined) return { isOfAll: true, facts: { type: plural } };
  if (/^(?:integer|boolean|string)$/.test(remark)) return { isOfAll: false, facts: { type: remark } };
  if (remark === 'or null') return { isOfAll: false, facts: { nullable: true } };
  return { isOfAll: remark.startsWith('values '), facts: valuesIn(remark) };
}

/** Text fields by name, to which a remark about preceding numbers does not apply. */
const texts = ['id', 'name', 'description'];

const ofRemark = (name: string, facts: Facts): ShownField =>
  facts.type !== undefined && texts.includes(name) ? { name } : { name, ...facts };

/** Returns the fields that one note lists, such as "`a`, `b` (integers), `c` (or null)". */
function fieldsInNote(note: string): readonly ShownField[] {
  const all = /^integers: /.test(note) ? { type: 'integer' } : {};
  const groups = [...note.matchAll(/((?:`\w+`(?:, )?)+)(?: \(([^)]*)\))?/g)];
  return groups.flatMap(([, list = '', remark = '']) => {
    const names = codesIn(list);
    const { isOfAll, facts } = readRemark(remark);
    return names.map((name, index) =>
      isOfAll || index === names.length - 1 ? ofRemark(name, { ...all, ...facts }) : { name, ...all },
    );
  });
}

function typeIn(text: string): Facts {
  const type = text.replace(/ or null\b.*| \(.*/, '');
  return { type, ...(/ or null\b/.test(text) && { nullable: true }) };
}

function notesIn(note: string, type: string | undefined): Facts {
  if (type === 'object' || type === 'array') {
    const fields = fieldsInNote(note);
    return fields.length > 0 ? { fields } : {};
  }
  return { ...valuesIn(note), ...(/^(?:present |on )/.test(note) && { optional: true }) };
}

/** Returns the fields of a row, which may name several: "id (`ch_`), intent_id". */
function fieldsInRow(row: Row): readonly ShownField[] {
  const type = cell(row, 'Type');
  const facts = { ...typeIn(type), ...valuesIn(type) };
  const notes = notesIn(row['Notes'] ?? '', facts.type);
  return cell(row, 'Field')
    .split(', ')
    .map((text) => ({ name: text.replace(/ .*/, ''), ...facts, ...valuesIn(text), ...notes }));
}

export const fieldsInTable = (rows: readonly Row[]): readonly ShownField[] => rows.flatMap(fieldsInRow);
