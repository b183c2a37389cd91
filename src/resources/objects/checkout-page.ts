/** The address of a session's hosted page, which the interface does not show: a template with the place of the session's id. */

import { type Issue, refuse } from '../../base/errors.ts';
import { describeValue, missingOption } from '../../base/issue.ts';
import { safeUrl } from '../../http/client/connection.ts';

const path = 'checkoutPage';
const expectedForm = 'a URL with {id} in it, such as https://pay.example.com/{id}';

/** Plain ASCII, so that a redirect can send it as it is, with the id after the host, which an id must not name. */
const form = /^https?:\/\/[\w[][!-z|~]*[/?#][!-z|~]*\{id\}[!-z|~]*$/;

/** Returns the issues of the option. They do not repeat it, since its query may hold a key. */
export function checkoutPageIssues(template: unknown, allowInsecure: boolean): Issue[] {
  if (template === undefined) return [];
  const isForm = typeof template === 'string' && form.test(template) && URL.canParse(template);
  const expected = isForm ? safeUrl(new URL(template), allowInsecure) : expectedForm;
  return expected === undefined ? [] : [{ path, expected, received: describeValue(template, path, true) }];
}

/** @throws ConfigurationError always: the client does not know the address. */
export function refuseWithoutPage(): never {
  return refuse([missingOption(path, expectedForm, 'PAYMENTS_CHECKOUT_PAGE')], 'Ask your provider for it.');
}
