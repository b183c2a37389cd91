/** Enough for every endpoint of a large platform; more secrets only cost time. */
const maxKeys = 256;

/** Prepares each secret once. Clears the cache above 256 secrets, so that rotation does not grow the process. */
export function keyCache<Key>(prepare: (secret: string) => Key): (secret: string) => Key {
  const keys = new Map<string, Key>();
  return (secret) => {
    const known = keys.get(secret);
    if (known !== undefined) return known;
    const key = prepare(secret);
    if (keys.size >= maxKeys) keys.clear();
    keys.set(secret, key);
    return key;
  };
}
