/** The keys of a sandbox. */
export interface SandboxKeys {
  /** The secret key for `/v1`. */
  readonly secretKey: string;
  /** The key for the form endpoint, sent as `security_key`. */
  readonly securityKey: string;
  /** The key for browser scripts. */
  readonly publicKey: string;
}

/** Returns 32 hexadecimal digits from a secure random source. */
function randomText(): string {
  return crypto.randomUUID().replaceAll('-', '');
}

/** Creates random keys, so that a web page that the developer visits cannot know them. */
export function newKeys(): SandboxKeys {
  return {
    secretKey: `sk_v1_test_${randomText()}`,
    securityKey: randomText(),
    publicKey: `pk_v1_test_${randomText()}`,
  };
}
