/** How the form endpoint writes its response. The interface does not show it. */
export type FormResponse = 'unescaped' | 'escaped' | 'json';

/** What a sandbox can be made with. Everything has a default. */
export interface SandboxOptions {
  /** The secret key that `/v1` asks for. */
  readonly secretKey?: string | undefined;
  /** The key that the form endpoint asks for as `security_key`. */
  readonly securityKey?: string | undefined;
  /** The key that browser scripts are given. */
  readonly publicKey?: string | undefined;
  /** When the clock starts, in milliseconds since 1970. Default: the present time, to the second, so that
   * receivers of webhooks accept what it signs. Give one where a test compares times. */
  readonly startsAt?: number | undefined;
  /** The field of a page that holds its items, which the interface does not show. Default: `data`. */
  readonly itemsField?: string | undefined;
  /**
   * How the form endpoint writes its response: `name=value` pairs as they are, the same pairs percent-encoded, or
   * a JSON object. Default: `unescaped`.
   */
  readonly formResponse?: FormResponse | undefined;
}

/** The options with every default filled in. */
export type Settings = { readonly [Name in keyof SandboxOptions]-?: NonNullable<SandboxOptions[Name]> };

/** The options, with defaults for those that are left out. */
export function readOptions(options: SandboxOptions): Settings {
  const settings: Settings = {
    secretKey: options.secretKey ?? 'sk_v1_test_sandbox_secret_key',
    securityKey: options.securityKey ?? 'sandbox_security_key',
    publicKey: options.publicKey ?? 'pk_v1_test_sandbox_public_key',
    startsAt: options.startsAt ?? Math.floor(Date.now() / 1000) * 1000,
    itemsField: options.itemsField ?? 'data',
    formResponse: options.formResponse ?? 'unescaped',
  };
  for (const name of ['secretKey', 'securityKey', 'publicKey', 'itemsField'] as const) {
    if (settings[name] === '') throw new RangeError(`createSandbox: expected a non-empty ${name}.`);
  }
  return settings;
}
