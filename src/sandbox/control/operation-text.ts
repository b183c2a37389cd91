/** The caller's own id in an idempotency key that the SDK has made, else the key as it is. */
export function operationIdIn(key: string): string {
  const [, id] = /^pc1:[^:]*:(.*)$/.exec(key) ?? [];
  if (id === undefined) return key;
  return id.replace(/~([0-9a-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));
}
