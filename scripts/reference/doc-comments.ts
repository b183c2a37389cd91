/** Parses the doc comment of a field: its description, its source, and its inferred values. */

/** The source of a field: shown in the service's interface, or inferred by the SDK. */
export type Source = 'shown' | 'inferred';

export interface DocComment {
  /** Plain text without links. Its marks stay, as words. */
  readonly description: string;
  /** The first mark; `undefined` if there is none. */
  readonly source: Source | undefined;
  /** The values in code after `*inferred*:`. */
  readonly inferredValues: readonly string[];
  /** Whether the field is *shown* to be present only sometimes: "present when … (*shown*)". */
  readonly isSometimesPresent: boolean;
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
    .replaceAll(/\*(shown|inferred)\*/g, '$1')
    .replaceAll(/\{@link (\w+)\}/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Returns a description without brackets that name a source. */
export const withoutSource = (description: string): string =>
  description.replaceAll(/\s*\([^()]*\b(?:shown|inferred)\b[^()]*\)/g, '');

/** Returns the first sentence of a description, without its full stop and without brackets that name a source. */
export function summaryOf(description: string): string {
  const [sentence = ''] = withoutSource(description).split(/\.(?=\s|$)/);
  return sentence;
}

export function readDocComment(text: string): DocComment {
  return {
    description: plain(text),
    source: sourceOf(text),
    inferredValues: inferredValuesOf(text),
    isSometimesPresent: /\bpresent\b[^.;]*\(\*shown\*/.test(text),
  };
}

/** Returns the default mark of a type's fields, if its own doc comment states one: "Fields are *shown* unless marked." */
export function defaultSource(text: string): Source | undefined {
  const [sentence] = /Fields are \*(?:shown|inferred)\* unless marked/.exec(text) ?? [];
  return sentence === undefined ? undefined : sourceOf(sentence);
}
