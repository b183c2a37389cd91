/** Parses a Markdown page: its sections, tables, and inline code. */

/** A table row, keyed by column name. */
export type Row = Readonly<Record<string, string>>;

/** Returns the text from a heading to the next heading of the same or a higher level. */
export function sectionOf(page: string, heading: string): string {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  const rank = lines[start]?.indexOf(' ');
  if (rank === undefined) throw new Error(`Expected a section '${heading}', got none.`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= rank);
  return rest.slice(0, end === -1 ? undefined : end).join('\n');
}

const cellsOf = (line: string) =>
  line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

/** Returns the rows of the first table whose first column has a name. */
export function tableOf(section: string, firstColumn: string): readonly Row[] {
  const lines = section.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${firstColumn} |`));
  if (start === -1) throw new Error(`Expected a table whose first column is '${firstColumn}', got none.`);
  const columns = cellsOf(lines[start] ?? '');
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest
    .slice(0, end === -1 ? undefined : end)
    .map((line) => Object.fromEntries(cellsOf(line).map((cell, index) => [columns[index] ?? '', cell])));
}

export function cell(row: Row, column: string): string {
  const text = row[column];
  if (text === undefined)
    throw new Error(`Expected a column '${column}', got ${Object.keys(row).join(', ')}.`);
  return text;
}

/** Returns the inline code, in order. */
export const codesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** Returns the line of a text that contains a part. */
export function lineWith(text: string, part: string): string {
  const line = text.split('\n').find((candidate) => candidate.includes(part));
  if (line === undefined) throw new Error(`Expected a line with '${part}', got none.`);
  return line;
}

/** Returns the first group of a pattern in a text. */
export function captured(text: string, pattern: RegExp): string {
  const [, part] = pattern.exec(text) ?? [];
  if (part === undefined) throw new Error(`Expected a match of ${pattern}, got none.`);
  return part;
}
