import { authenticate } from '../authenticate.ts';
import { Problem } from '../problem.ts';

const loopback: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

function isLoopback(host: string): boolean {
  const url = `http://${host}`;
  return URL.canParse(url) && loopback.includes(new URL(url).hostname);
}

/**
 * A page on the web whose name is made to lead to this machine still says its own name in the Host header.
 *
 * @throws Problem 403 for such a host.
 */
export function checkHost(request: Request): void {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  if (isLoopback(host)) return;
  throw new Problem(
    403,
    'HOST_NOT_ALLOWED',
    `Expected the host to be 127.0.0.1, ::1 or localhost, got '${host}'. Use one of these in the address.`,
  );
}

/** Programs send no Origin; a page that does must be the sandbox's own. */
function checkOrigin(request: Request): void {
  const origin = request.headers.get('origin');
  if (origin === null) return;
  const host = request.headers.get('host') ?? new URL(request.url).host;
  if (origin === `http://${host}`) return;
  throw new Problem(
    403,
    'ORIGIN_NOT_ALLOWED',
    `Expected no Origin header or the sandbox's own, got '${origin}'. Call it from a program, not from a page.`,
  );
}

/**
 * Lets only programs of this machine in that know one of the keys.
 *
 * @throws Problem 403 for a foreign host or origin, 401 without the key.
 */
export function admit(request: Request, keys: readonly string[]): void {
  checkHost(request);
  checkOrigin(request);
  authenticate(request.headers.get('authorization') ?? undefined, keys);
}
