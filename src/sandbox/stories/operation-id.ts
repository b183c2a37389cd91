/** What keys of this package begin with, then the operation and the caller's id. */
const ownKey = /^pc1:[^:]+:(.+)$/;

/** Every UTF-16 unit but the plain ones is written as `~` and four hexadecimal digits. */
function unescapeUnits(text: string): string {
  return text.replace(/~([\da-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));
}

/** The caller's own id in an idempotency key; `null` where the key holds none that can be read. */
export function operationIdOf(key: string | undefined): string | null {
  const [, id] = ownKey.exec(key ?? '') ?? [];
  return id === undefined ? null : unescapeUnits(id);
}
