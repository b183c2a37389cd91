export function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

/** Whether an address has a user name or a password, which `fetch` refuses. */
export function isWithUser(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

/**
 * Whether a host is this machine, by its name alone: `localhost`, `127.x.x.x` or `[::1]`. No name is resolved, since a name that resolves
 * to loopback now may resolve to another address later.
 *
 * @param hostname As `URL` writes it, so that `0x7f.1` is `127.0.0.1`.
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** The same, and names under `localhost`, which browsers and resolvers keep on this machine (RFC 6761). */
export function isLoopbackName(hostname: string): boolean {
  return isLoopbackHost(hostname) || /^(?:[\w-]+\.)+localhost$/.test(hostname);
}
