import { isRecord } from './base/json.ts';
import { randomText } from './webhooks/new-secret.ts';

export interface SandboxKeys {
  /** The secret key for `/v1`. */
  readonly secretKey: string;
  /** The key for the form endpoint, sent as `security_key`. */
  readonly securityKey: string;
  /** The key for browser scripts. */
  readonly publicKey: string;
  /** The signing secret of webhooks, before it is encoded as the signature scheme requires. */
  readonly webhookSecret: string;
}

/** Creates random keys, so that a web page that the developer visits cannot know them. */
export function newKeys(): SandboxKeys {
  return {
    secretKey: `sk_v1_test_${randomText()}`,
    securityKey: randomText(),
    publicKey: `pk_v1_test_${randomText()}`,
    webhookSecret: randomText(),
  };
}

export function isKeys(value: unknown): value is SandboxKeys {
  if (!isRecord(value)) return false;
  return ['secretKey', 'securityKey', 'publicKey', 'webhookSecret'].every((name) => {
    const key = value[name];
    return typeof key === 'string' && key !== '';
  });
}
