const identifier = /^[A-Za-z_$][\w$]*$/;

function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

/** Returns a JSON value as a TypeScript literal. Short ones take one line. */
export function literalOf(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => literalOf(item, inner))
    : Object.entries(value).map(
        ([name, field]) => `${identifier.test(name) ? name : quoted(name)}: ${literalOf(field, inner)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return `${open}${close}`;
  const line = items.join(', ');
  if (line.length <= 72 && !line.includes('\n')) return isList ? `[${line}]` : `{ ${line} }`;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}
