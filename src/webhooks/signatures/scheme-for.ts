import { configurationError } from '../../base/errors.ts';
import { issueWithin } from '../../base/issue.ts';
import { check } from '../../base/validation.ts';
import { type WebhookForm, webhookForm } from '../../resources/webhook-form.ts';
import { bodyHmac } from './body-hmac.ts';
import type { SignatureScheme } from './scheme.ts';
import { standardWebhooks } from './standard-webhooks.ts';
import { timestampedHmac } from './timestamped-hmac.ts';

function schemeOf(form: WebhookForm): SignatureScheme {
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

/**
 * Returns the scheme that a service's interface file names in `webhooks`.
 *
 * @param form The name of a scheme with its options, typed or as parsed JSON. Default: `standardWebhooks`.
 * @throws ConfigurationError when there is no such scheme, or one of its options is wrong.
 *
 * @example
 * import serviceInterface from './payments.interface.json' with { type: 'json' };
 *
 * const webhooks = new Webhooks({ secret, scheme: schemeFor(serviceInterface.webhooks) });
 */
export function schemeFor(
  form: WebhookForm | Readonly<Record<string, unknown>> = { scheme: 'standardWebhooks' },
): SignatureScheme {
  const checked = check(webhookForm, form);
  if ('value' in checked) return schemeOf(checked.value);
  const issues = checked.issues.map((issue) => issueWithin('schemeFor', issue));
  throw configurationError(issues, 'Correct the form of webhooks.');
}
