import { refuse } from '../../base/errors.ts';
import { checkOptions, headerName, optionsOf } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import {
  malformed,
  matchesInTime,
  readTimestamp,
  requiredHeader,
  signedHeaders,
  valuesIn,
} from './header.ts';
import type { SignatureScheme, SignInput, VerifyInput } from './scheme.ts';
import { hmacKeys, type SecretOptions, secretFields } from './secret.ts';

/** Options of {@link timestampedHmac}. */
type TimestampedHmacOptions = SecretOptions & {
  /** The name of the header, in any case. */
  readonly header: string;
  /** The name of the field with the timestamp or nonce. Default: `t` (*inferred*). */
  readonly timestampField?: string | undefined;
  /** The name of the field with a signature; there may be several. Default: `v1` (*inferred*). */
  readonly signatureField?: string | undefined;
  /**
   * Whether the first field is a nonce instead of a timestamp. If so, no age is checked, and a replay of an old
   * delivery passes `verify`: only the event id, and its `created` in a receiver, tell it. Default: false (*inferred*).
   */
  readonly nonce?: boolean | undefined;
};

/** Checks the name of a field within a header. */
function fieldName() {
  const expected = 'the name of a field, without blanks, = and commas';
  return s.optional(s.string(expected).check(s.regex(/^[^\s=,]+$/, expected)));
}

const optionsSchema = /* @__PURE__ */ optionsOf<TimestampedHmacOptions>(() => ({
  header: headerName(),
  timestampField: fieldName(),
  signatureField: fieldName(),
  nonce: s.optional(s.boolean()),
  ...secretFields(),
}));

/**
 * Creates a scheme of one header with a timestamp and one or more signatures, such as `t=1614265330,v1=<hex>`:
 * HMAC-SHA256 in hex over `t.body`, with a secret of at least 24 bytes (*inferred*: the service's interface does not
 * show its scheme). Other fields are ignored. Blanks may separate fields. The timestamp is in seconds, or in ms from
 * 1e11 on.
 *
 * A header of more than 8192 characters, or with more than 16 signatures, is malformed. A header without a signature
 * does not match.
 *
 * Signing writes the timestamp in seconds, or the id if `nonce` is set.
 *
 * @throws ConfigurationError for an invalid header or field name.
 *
 * @example
 * timestampedHmac({ header: 'webhook-signature', signatureField: 's', nonce: true });
 */
export function timestampedHmac(options: TimestampedHmacOptions): SignatureScheme {
  checkOptions('timestampedHmac', optionsSchema, options);
  const { timestampField = 't', signatureField = 'v1', nonce = false } = options;
  const header = options.header.toLowerCase();
  if (timestampField === signatureField) {
    const [path, expected] = ['timestampedHmac.signatureField', 'a name other than timestampField'];
    refuse([{ path, expected, received: 'the same' }], 'Correct the options of timestampedHmac.');
  }
  const timestampPrefix = `${timestampField}=`;
  const signaturePrefix = `${signatureField}=`;
  const { keyFor, checkSecret } = hmacKeys('hex', options);

  return {
    verify(input: VerifyInput) {
      const value = requiredHeader(input, header);
      const fields = value.replace(/[ \t]/g, ',');
      // If the header occurs twice, tries the signatures of both with the first timestamp.
      const [timestamp = ''] = valuesIn(header, fields, ',', timestampPrefix);
      if (timestamp === '') throw malformed(header, `a field ${timestampPrefix}…`, 'none, or an empty one');
      // A nonce has no age.
      const time = nonce ? input.now : readTimestamp(header, timestamp);
      const signatures = valuesIn(header, fields, ',', signaturePrefix);
      const matches = keyFor(input.secret).verify(`${timestamp}.`, input.body, signatures);
      return matchesInTime(matches, time, input);
    },
    sign({ body, id, timestamp, secret }: SignInput) {
      const first = nonce ? id : String(Math.floor(timestamp / 1000));
      const signature = keyFor(secret).sign(`${first}.`, body);
      return signedHeaders({}, header, `${timestampPrefix}${first},${signaturePrefix}`, signature);
    },
    checkSecret,
    signsTime: !nonce,
  };
}
