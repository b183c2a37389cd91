/** Returns the origin of an `http:` or `https:` URL; `undefined` for anything else. */
export function originOf(address: string | null): string | undefined {
  if (address === null || !URL.canParse(address)) return undefined;
  const { origin, protocol } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}
