import { describe, expect, it } from 'vitest';
import { defaultSource, readDocComment } from '../../scripts/reference/doc-comments.ts';

describe('a doc comment', () => {
  it.each([
    ['The id (*shown*), in a form (*inferred*).', 'shown', 'The id (shown), in a form (inferred).'],
    [
      'When it was made (*shown*; seconds or ms is not).',
      'shown',
      'When it was made (shown; seconds or ms is not).',
    ],
    ['The id (*inferred* here, *shown* there).', 'inferred', 'The id (inferred here, shown there).'],
    ['The fields of a\n{@link Refund}.', undefined, 'The fields of a Refund.'],
  ])('%j becomes %s', (text, source, description) => {
    expect(readDocComment(text)).toMatchObject({ source, description, inferredValues: [] });
  });

  it('lists the inferred values', () => {
    const { inferredValues } = readDocComment('State (*shown*: `a`; *inferred*: `b`, and `c` later).');
    expect(inferredValues).toEqual(['b', 'c']);
  });

  it.each([
    ['The time; present once paid (*shown*), otherwise absent.', true],
    ['The time (*shown*); absent if it is not paid (*inferred*).', false],
    ['The time; present once paid (*inferred*).', false],
  ])('%j says that the field is shown to be present sometimes: %s', (text, isSometimesPresent) => {
    expect(readDocComment(text)).toMatchObject({ isSometimesPresent });
  });

  it('on a type marks its fields', () => {
    expect(defaultSource('A form. Fields are *shown* unless marked.')).toBe('shown');
    expect(defaultSource('A form that is *shown*.')).toBeUndefined();
  });
});
