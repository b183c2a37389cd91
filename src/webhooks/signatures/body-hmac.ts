import { checkOptions, headerName, optionsOf } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { malformed, requiredHeader, signedHeaders } from './header.ts';
import type { SignatureScheme, SignInput, VerifyInput } from './scheme.ts';
import { hmacKeys, type SecretOptions, secretFields } from './secret.ts';

/** Options of {@link bodyHmac}. */
type BodyHmacOptions = SecretOptions & {
  /** The name of the header, in any case. */
  readonly header: string;
  /** The encoding of the signature. Default: `hex` (*inferred*). */
  readonly encoding?: 'hex' | 'base64' | undefined;
};

const optionsSchema = /* @__PURE__ */ optionsOf<BodyHmacOptions>(() => ({
  header: headerName(),
  encoding: s.optional(s.literal(['hex', 'base64'])),
  ...secretFields(),
}));

const algorithmPrefix = 'sha256=';
const forms = {
  hex: { pattern: /^[0-9A-Fa-f]{64}$/, inWords: '64 hex digits' },
  base64: { pattern: /^[A-Za-z0-9+/]{43}=$/, inWords: 'the base64 of 32 bytes' },
} as const;

/**
 * Creates a scheme of one header with one signature, `sha256=<hex>` or the hex alone: HMAC-SHA256 over the body, with a
 * secret of at least 24 bytes (*inferred*: the service's interface does not show its scheme).
 *
 * The signature covers no timestamp, so `verify` checks no age and a replay of an old delivery passes. A receiver tells it by the
 * event id, and handles no event that is older than its `retention`. Without a receiver, remember the ids, and check `created`.
 *
 * Signing writes the signature without `sha256=`.
 *
 * @throws ConfigurationError for an invalid header name, another encoding, or an unknown option.
 */
export function bodyHmac(options: BodyHmacOptions): SignatureScheme {
  checkOptions('bodyHmac', optionsSchema, options);
  const { encoding = 'hex' } = options;
  const header = options.header.toLowerCase();
  const { pattern, inWords } = forms[encoding];
  const { keyFor, checkSecret } = hmacKeys(encoding, options);

  return {
    verify(input: VerifyInput) {
      const value = requiredHeader(input, header);
      const signature = value.startsWith(algorithmPrefix) ? value.slice(algorithmPrefix.length) : value;
      if (!pattern.test(signature)) {
        throw malformed(header, `${inWords}, after ${algorithmPrefix} or alone`, 'something else');
      }
      return keyFor(input.secret).verify('', input.body, [signature]);
    },
    sign({ body, secret }: SignInput) {
      return signedHeaders({}, header, '', keyFor(secret).sign('', body));
    },
    checkSecret,
    signsTime: false,
  };
}
