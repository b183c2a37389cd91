/** Reads what a doc comment says of a field: its description, where the field comes from, and which of its values are inferred. */

/** Where a field comes from: the service's interface shows it, or the SDK infers it. */
export type Source = 'shown' | 'inferred';

/** What a doc comment says. */
export interface DocComment {
  /** Plain text, without marks and links. */
  readonly description: string;
  /** The first mark; `undefined` where there is none. */
  readonly source: Source | undefined;
  /** The values that stand in code after `*inferred*:`. */
  readonly inferredValues: readonly string[];
}

function sourceOf(text: string): Source | undefined {
  const [, mark] = /\*(shown|inferred)\*/.exec(text) ?? [];
  return mark === 'shown' || mark === 'inferred' ? mark : undefined;
}

function inferredValuesOf(text: string): readonly string[] {
  const [, clause = ''] = /\*inferred\*:([^);]*)/.exec(text) ?? [];
  return [...clause.matchAll(/`([^`]+)`/g)].map(([, value = '']) => value);
}

function plain(text: string): string {
  return text
    .replaceAll(/\s*\(\*(?:shown|inferred)\*\)/g, '')
    .replaceAll(/\*(shown|inferred)\*/g, '$1')
    .replaceAll(/\{@link (\w+)\}/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The first sentence of a description, without its stop and without brackets that name a source. */
export function summaryOf(description: string): string {
  const [sentence = ''] = description
    .replaceAll(/\s*\([^()]*\b(?:shown|inferred)\b[^()]*\)/g, '')
    .split(/\.(?=\s|$)/);
  return sentence;
}

/** Reads the text of a doc comment. */
export function readDocComment(text: string): DocComment {
  return { description: plain(text), source: sourceOf(text), inferredValues: inferredValuesOf(text) };
}

/** The mark of the fields of a type, where its own doc comment gives them one: "Fields are *shown* unless marked." */
export function defaultSource(text: string): Source | undefined {
  const [sentence] = /Fields are \*(?:shown|inferred)\* unless marked/.exec(text) ?? [];
  return sentence === undefined ? undefined : sourceOf(sentence);
}
