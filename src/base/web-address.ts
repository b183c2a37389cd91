/** The address that `sandbox.url` has while the sandbox does not listen. */
export const unlistenedAddress = 'http://localhost';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether a host is this machine, by its name alone: `localhost`, `127.x.x.x` or `[::1]`. No name is resolved, since a name
 * that resolves to loopback now may resolve to another address later.
 *
 * @param hostname As `URL` writes it, so that `0x7f.1` is `127.0.0.1`.
 */
export function isLoopbackHost(hostname: string): boolean {
  return loopback.test(hostname);
}
