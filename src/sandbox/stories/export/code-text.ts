/** A piece of TypeScript. Text is not wrapped; the others are wrapped if they are too wide. */
export type Code =
  | string
  | { readonly kind: 'object'; readonly fields: readonly (readonly [name: string, value: Code])[] }
  | { readonly kind: 'list'; readonly items: readonly Code[] }
  | {
      readonly kind: 'call';
      readonly callee: string;
      readonly args: readonly Code[];
      /** Text after its closing bracket, such as `.catch(() => {})`. */
      readonly after?: string;
    };

/** The maximum line width. */
const width = 110;

/** Returns a text as a literal. */
export function quote(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1);
  if (text.includes("'") && !text.includes('"')) return `"${escaped}"`;
  return `'${escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function nameOf(field: string): string {
  // A plain `__proto__` would set the prototype.
  if (field === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(field) ? field : quote(field);
}

/**
 * Returns the code of a JSON value.
 *
 * @param expressionOf Returns the code for a text, such as a variable for an id.
 */
export function toCode(value: unknown, expressionOf: (text: string) => string = quote): Code {
  if (typeof value === 'string') return expressionOf(value);
  if (Array.isArray(value)) return { kind: 'list', items: value.map((item) => toCode(item, expressionOf)) };
  if (typeof value !== 'object' || value === null) return String(value);
  const given = Object.entries(value).filter(([, field]) => field !== undefined);
  return { kind: 'object', fields: given.map(([name, field]) => [name, toCode(field, expressionOf)]) };
}

/** Returns the code of a function call. */
export function call(callee: string, args: readonly Code[], after = ''): Code {
  return { kind: 'call', callee, args, after };
}

function inOneLine(code: Code): string {
  if (typeof code === 'string') return code;
  if (code.kind === 'list') return `[${code.items.map(inOneLine).join(', ')}]`;
  if (code.kind === 'call')
    return `${code.callee}(${code.args.map(inOneLine).join(', ')})${code.after ?? ''}`;
  const fields = code.fields.map(([name, value]) => {
    const text = inOneLine(value);
    return name === text ? name : `${nameOf(name)}: ${text}`;
  });
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function lines(items: readonly string[], indent: string): string {
  return items.map((item) => `${indent}  ${item},\n`).join('');
}

function isBreakable(code: Code): boolean {
  return typeof code !== 'string' && code.kind !== 'call';
}

function inLines(code: Exclude<Code, string>, indent: string): string {
  const inner = `${indent}  `;
  if (code.kind === 'list') {
    return `[\n${lines(
      code.items.map((item) => write(item, inner)),
      indent,
    )}${indent}]`;
  }
  if (code.kind === 'object') {
    const fields = code.fields.map(([name, value]) => {
      const before = `${nameOf(name)}: `;
      return inOneLine(value) === name ? name : before + write(value, inner, before.length + 1);
    });
    return `{\n${lines(fields, indent)}${indent}}`;
  }
  return callInLines(code, indent);
}

function callInLines(code: Extract<Code, { kind: 'call' }>, indent: string): string {
  const inner = `${indent}  `;
  const { callee, args, after = '' } = code;
  const dot = callee.lastIndexOf('.');
  // A chain is wrapped before its methods.
  if (after !== '' && dot !== -1) {
    const method = write(call(callee.slice(dot), args), inner);
    return `${callee.slice(0, dot)}\n${inner}${method}\n${inner}${after}`;
  }
  const last = args.at(-1);
  const others = args.slice(0, -1);
  // Only the last argument is wrapped if the others are plain.
  if (last !== undefined && typeof last !== 'string' && isBreakable(last) && !others.some(isBreakable)) {
    const before = others.map((arg) => `${inOneLine(arg)}, `).join('');
    return `${callee}(${before}${inLines(last, indent)})${after}`;
  }
  return `${callee}(\n${lines(
    args.map((arg) => write(arg, inner, 1)),
    indent,
  )}${indent})${after}`;
}

/**
 * Writes code, on one line if it fits.
 *
 * @param offset The characters that its first line already has.
 */
export function write(code: Code, indent: string, offset = 0): string {
  const short = inOneLine(code);
  if (typeof code === 'string' || indent.length + offset + short.length <= width) return short;
  return inLines(code, indent);
}
