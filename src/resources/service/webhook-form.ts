import { headerName } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';

/** How deliveries of webhooks are signed: the name of a scheme, with its options. */
export type WebhookForm =
  | {
      /** Three headers, as in Standard Webhooks. */
      readonly scheme: 'standardWebhooks';
      /** The prefix of the header names. Default: `webhook`, or `svix`. */
      readonly headerPrefix?: string | undefined;
    }
  | {
      /** One header with a timestamp and signatures. */
      readonly scheme: 'timestampedHmac';
      /** The name of the header. */
      readonly header: string;
      /** The name of the field with the timestamp. Default: `t`. */
      readonly timestampField?: string | undefined;
      /** The name of the field with a signature. Default: `v1`. */
      readonly signatureField?: string | undefined;
      /** The encoding of the secret. Default: `text`. */
      readonly secretEncoding?: SecretEncoding | undefined;
    }
  | {
      /** One header with one signature of the body. */
      readonly scheme: 'bodyHmac';
      /** The name of the header. */
      readonly header: string;
      /** The encoding of the signature. Default: `hex`. */
      readonly encoding?: 'hex' | 'base64' | undefined;
      /** The encoding of the secret. Default: `text`. */
      readonly secretEncoding?: SecretEncoding | undefined;
    };

/** The encoding of a secret's bytes: text, base64 or hex. */
export type SecretEncoding = 'text' | 'base64' | 'hex';

/** The names of all encodings of a secret. */
export const secretEncodings: readonly SecretEncoding[] = ['text', 'base64', 'hex'];

const secretEncoding = () => s.optional(s.literal(secretEncodings));

/** The schema of {@link WebhookForm}. What a scheme asks of the names of its fields, it checks itself. */
export const webhookForm: s.Schema<WebhookForm> = /* @__PURE__ */ s.lazily(() =>
  s.discriminatedUnion(
    'scheme',
    [
      s.strictObject({ scheme: s.literal('standardWebhooks'), headerPrefix: s.optional(headerName()) }),
      s.strictObject({
        scheme: s.literal('timestampedHmac'),
        header: headerName(),
        timestampField: s.optional(s.string()),
        signatureField: s.optional(s.string()),
        secretEncoding: secretEncoding(),
      }),
      s.strictObject({
        scheme: s.literal('bodyHmac'),
        header: headerName(),
        encoding: s.optional(s.literal(['hex', 'base64'])),
        secretEncoding: secretEncoding(),
      }),
    ],
    "'standardWebhooks' or 'timestampedHmac' or 'bodyHmac'",
  ),
);
