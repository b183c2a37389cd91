import * as s from '../../base/schema/schema.ts';

const expected = '1 to 64 letters, digits, dots, hyphens and underscores';

/** The name of an account, which is a part of keys. */
export const accountName = () => s.string(expected).check(s.regex(/^[A-Za-z0-9._-]{1,64}$/, expected));
