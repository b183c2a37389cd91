/** Keys of this package: a version, the operation, and the caller's operation id. */
const ownKey = /^pc1:[^:]+:(.+)$/;

/** Decodes `~` and four hexadecimal digits, the escape of UTF-16 units outside the plain ones. */
function unescapeUnits(text: string): string {
  return text.replace(/~([\da-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));
}

/** Returns the operation id in an idempotency key; `null` if there is none. */
export function operationIdOf(key: string | undefined): string | null {
  const [, id] = ownKey.exec(key ?? '') ?? [];
  return id === undefined ? null : unescapeUnits(id);
}
