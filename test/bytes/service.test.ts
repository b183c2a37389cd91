/** Whatever a service or a proxy answers, each call returns a value or fails with a true outcome. */

import fc from 'fast-check';
import { it } from 'vitest';
import { assertAlways, testParsers } from './parser.ts';
import { expectText, formDecoder, formResponses } from './parsers/form-responses.ts';
import { pages } from './parsers/pages.ts';
import { refusals } from './parsers/refusals.ts';
import { resources } from './parsers/resources.ts';
import { retryAfter } from './parsers/retry-after.ts';

testParsers([resources, pages, refusals, formResponses, formDecoder, retryAfter]);

const plain = fc.string({ unit: fc.constantFrom(...'aZ7 :[]+%.é'), maxLength: 30 });

it('any text of a form response is read from both of its encodings', () =>
  assertAlways('any text of a form response', plain, 400, expectText));
