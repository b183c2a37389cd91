/** Fields that hold credentials. The screen, and screenshots of it, must not show them. */
const secret: readonly string[] = ['secret', 'previous_secrets', 'client_secret', 'key'];

/** Hides the value of a secret field. A replacer of `JSON.stringify`. */
export function withoutSecrets(name: string, value: unknown): unknown {
  return secret.includes(name) ? '(not shown)' : value;
}
