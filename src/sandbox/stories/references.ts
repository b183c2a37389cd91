import { isRecord } from '../../base/json.ts';

/** A reference to an object that an entry made. */
export interface Reference {
  /** The number of the entry. */
  readonly entry: number;
  /** The kind of the object; `event`, `delivery` or `request` for what is no object. */
  readonly kind: string;
  /** Its position among those of its kind that the entry made, from 1. */
  readonly position: number;
}

const form = /^@(\d+)\.([a-z_]+)(?:#(\d+))?$/;
/** A text that looks like a reference has one more `@`. */
const escaped = /^@@+\d+\.[a-z_]+(?:#\d+)?$/;

/** Returns the text of a reference: `@2.refund`, or `@2.refund#2` for the second one. */
export function referenceText({ entry, kind, position }: Reference): string {
  return `@${entry}.${kind}${position === 1 ? '' : `#${position}`}`;
}

/** Reads a reference; `undefined` for any other text. */
export function readReference(text: string): Reference | undefined {
  const [, entry, kind, position = '1'] = form.exec(text) ?? [];
  if (entry === undefined || kind === undefined) return undefined;
  return { entry: Number(entry), kind, position: Number(position) };
}

/** Applies a function to each text in a JSON value, and to each segment of a text that is a path. */
function withTexts(value: unknown, replaced: (segment: string) => string): unknown {
  if (typeof value === 'string') return inSegments(value, replaced);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, replaced));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withTexts(field, replaced)]));
}

function inSegments(text: string, replaced: (segment: string) => string): string {
  return text.split('/').map(replaced).join('/');
}

/** Returns a JSON value with references in place of ids. */
export function withReferences(value: unknown, referenceTo: (id: string) => string | undefined): unknown {
  return withTexts(
    value,
    (text) => referenceTo(text) ?? (form.test(text) || escaped.test(text) ? `@${text}` : text),
  );
}

/** Returns all texts in a JSON value, and the segments of paths. */
export function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  withTexts(value, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

type IdOf = (reference: string) => string;

function resolved(segment: string, idOf: IdOf): string {
  if (escaped.test(segment)) return segment.slice(1);
  return form.test(segment) ? idOf(segment) : segment;
}

/** Returns a text with ids in place of references. */
export function resolveText(text: string, idOf: IdOf): string {
  return inSegments(text, (segment) => resolved(segment, idOf));
}

/** Returns a JSON value with ids in place of references. */
export function resolveReferences(value: unknown, idOf: IdOf): unknown {
  return withTexts(value, (segment) => resolved(segment, idOf));
}
