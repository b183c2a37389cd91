import { describe, expect, it } from 'vitest';
import { defaultSource, readDocComment } from '../../scripts/reference/doc-comments.ts';

describe('a doc comment', () => {
  it.each([
    ['The id (*shown*).', 'shown', 'The id.'],
    [
      'When it was made (*shown*; seconds or ms is not).',
      'shown',
      'When it was made (shown; seconds or ms is not).',
    ],
    ['The id (*inferred* here, *shown* there).', 'inferred', 'The id (inferred here, shown there).'],
    ['The fields of a\n{@link Refund}.', undefined, 'The fields of a Refund.'],
  ])('%j becomes %s', (text, source, description) => {
    expect(readDocComment(text)).toEqual({ source, description, inferredValues: [] });
  });

  it('lists the inferred values', () => {
    const { inferredValues } = readDocComment('State (*shown*: `a`; *inferred*: `b`, and `c` later).');
    expect(inferredValues).toEqual(['b', 'c']);
  });

  it('on a type marks its fields', () => {
    expect(defaultSource('A form. Fields are *shown* unless marked.')).toBe('shown');
    expect(defaultSource('A form that is *shown*.')).toBeUndefined();
  });
});
