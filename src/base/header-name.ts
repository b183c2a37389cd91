import { regex, string } from './schema.ts';

/** A text that can be the name of a header. */
export function headerName() {
  const expected = 'the name of a header';
  return string(expected).check(regex(/^[\w!#$%&'*+.^`|~-]+$/, expected));
}
