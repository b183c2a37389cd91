/** The keys of a sandbox. */
export interface SandboxKeys {
  /** The secret key that `/v1` asks for. */
  readonly secretKey: string;
  /** The key that the form endpoint asks for as `security_key`. */
  readonly securityKey: string;
  /** The key that browser scripts are given. */
  readonly publicKey: string;
}

/** 32 hexadecimal digits from a secure random source. */
function randomText(): string {
  return crypto.randomUUID().replaceAll('-', '');
}

/** Keys that nobody has seen before: a page that a developer visits cannot know them. */
export function newKeys(): SandboxKeys {
  return {
    secretKey: `sk_v1_test_${randomText()}`,
    securityKey: randomText(),
    publicKey: `pk_v1_test_${randomText()}`,
  };
}
