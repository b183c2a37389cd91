import { configurationError } from '../../base/errors.ts';
import { issueWithin } from '../../base/issue.ts';
import * as s from '../../base/schema/schema.ts';
import { check } from '../../base/schema/validation.ts';
import { type WebhookForm, webhookForm } from '../../resources/service/webhook-form.ts';
import { bodyHmac } from './body-hmac.ts';
import type { SignatureScheme } from './scheme.ts';
import { standardWebhooks } from './standard-webhooks.ts';
import { timestampedHmac } from './timestamped-hmac.ts';

/** Returns the scheme of a form. Default: `standardWebhooks`. */
export function schemeFor(form: WebhookForm = { scheme: 'standardWebhooks' }): SignatureScheme {
  switch (form.scheme) {
    case 'standardWebhooks':
      return standardWebhooks({ headerPrefix: form.headerPrefix });
    case 'timestampedHmac': {
      const { scheme: _, ...options } = form;
      return timestampedHmac(options);
    }
    case 'bodyHmac': {
      const { scheme: _, ...options } = form;
      return bodyHmac(options);
    }
  }
}

/** The rest of the interface is for clients. */
const interfaceSchema = /* @__PURE__ */ s.lazily(() => s.object({ webhooks: s.optional(webhookForm) }));

/**
 * Returns the scheme that a service's interface names, typed or as parsed JSON. Default: `standardWebhooks`.
 *
 * @throws ConfigurationError when there is no such scheme, or one of its options is wrong.
 */
export function schemeIn(serviceInterface: unknown = {}): SignatureScheme {
  const checked = check(interfaceSchema, serviceInterface);
  if ('value' in checked) return schemeFor(checked.value.webhooks);
  const issues = checked.issues.map((issue) => issueWithin('interface', issue));
  throw configurationError(issues, 'Correct the interface of Webhooks.');
}
