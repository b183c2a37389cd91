import type { SecretEncoding, WebhookForm } from '../base/interface-types.ts';
import { schemeFor } from '../sdk.ts';
import type { Delivery } from './delivery.ts';
import { asAssumed, differs, type Finding, isWord, notSeen } from './finding.ts';

const secretEncodings: readonly SecretEncoding[] = ['text', 'base64', 'hex'];

/** The file omits the default. */
function encoded(secretEncoding: SecretEncoding): { readonly secretEncoding?: SecretEncoding } {
  return secretEncoding === 'text' ? {} : { secretEncoding };
}

/** The three headers of Standard Webhooks, with any prefix. */
function standardForms({ headers }: Delivery): WebhookForm[] {
  return [...headers.keys()]
    .filter((name) => name.endsWith('-signature'))
    .map((name) => name.slice(0, -'-signature'.length))
    .filter((prefix) => headers.has(`${prefix}-id`) && headers.has(`${prefix}-timestamp`))
    .map((headerPrefix) => ({ scheme: 'standardWebhooks', headerPrefix }));
}

/** The most fields of one kind that are tried in a header. */
const maxFields = 5;

/** Fields such as `t=…` and `v1=…` within one header. */
function timestampedForms(header: string, value: string): WebhookForm[] {
  const fields = Array.from(value.matchAll(/(?:^|[,; \t])([^\s=,;]{1,32})=([^\s,;]+)/g));
  const named = (pattern: RegExp) => {
    const fitting = fields.filter(([, , content = '']) => pattern.test(content)).map(([, name = '']) => name);
    return [...new Set(fitting)].filter(isWord).slice(0, maxFields);
  };
  const [timestamps, signatures] = [named(/^\d{9,14}$/), named(/^[\dA-Fa-f]{64}$/)];
  return timestamps.flatMap((timestampField) =>
    signatures.flatMap((signatureField) =>
      secretEncodings.map((encoding) => ({
        scheme: 'timestampedHmac' as const,
        header,
        timestampField,
        signatureField,
        ...encoded(encoding),
      })),
    ),
  );
}

/** A header that consists of one signature. */
function bodyForms(header: string, value: string): WebhookForm[] {
  const encoding = /^(?:sha256=)?[\dA-Fa-f]{64}$/.test(value) ? 'hex' : 'base64';
  if (encoding === 'base64' && !/^[A-Za-z\d+/]{43}=$/.test(value)) return [];
  return secretEncodings.map((secretEncoding) => ({
    scheme: 'bodyHmac' as const,
    header,
    encoding,
    ...encoded(secretEncoding),
  }));
}

/** A delivery has a few signatures. Each form hashes its whole body. */
const maxForms = 200;

function formsOf({ headers, body }: Delivery): readonly WebhookForm[] {
  const plain = [...headers].filter(([name]) => isWord(name));
  const others = plain.flatMap(([header, value]) => [
    ...timestampedForms(header, value),
    ...bodyForms(header, value),
  ]);
  return [...standardForms({ headers: new Map(plain), body }), ...others].slice(0, maxForms);
}

/** Returns whether a form verifies a delivery, whatever its age. A scheme throws if a header or the secret does not fit it. */
async function verifies(form: WebhookForm, { headers, body }: Delivery, secret: string): Promise<boolean> {
  const tolerance = Number.MAX_SAFE_INTEGER;
  const header = (name: string) => headers.get(name);
  try {
    return await schemeFor(form).verify({ body, header, secret, now: Date.now(), tolerance });
  } catch {
    return false;
  }
}

function describe(form: WebhookForm): string {
  const secret = 'secretEncoding' in form ? `, the secret in ${form.secretEncoding}` : '';
  if (form.scheme === 'standardWebhooks') return `standardWebhooks, headers ${form.headerPrefix}-…`;
  return `${form.scheme}, header ${form.header}${secret}`;
}

/** The prefixes that `standardWebhooks` finds by default. */
const assumedPrefixes = ['webhook', 'svix'];

/** Finds the form that verifies a delivery with its secret. */
export async function readWebhookForm(delivery: Delivery, secret: string): Promise<Finding> {
  for (const form of formsOf(delivery)) {
    if (!(await verifies(form, delivery, secret))) continue;
    const isAssumed = form.scheme === 'standardWebhooks' && assumedPrefixes.includes(form.headerPrefix ?? '');
    return (isAssumed ? asAssumed : differs)(describe(form), { webhooks: form });
  }
  return notSeen('no known scheme verifies the delivery with this secret');
}
