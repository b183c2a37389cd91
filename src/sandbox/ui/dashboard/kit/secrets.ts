/** Fields whose values open something. A screen, and a picture of it, must not show them. */
const secret: readonly string[] = ['secret', 'previous_secrets', 'client_secret', 'key'];

/** Returns the value of a field, or that it is not shown. The signature is that of a replacer of `JSON.stringify`. */
export function withoutSecrets(name: string, value: unknown): unknown {
  return secret.includes(name) ? '(not shown)' : value;
}
