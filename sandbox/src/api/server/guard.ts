import { isLoopbackHost, isLoopbackName } from '../../base/web-address.ts';
import { Problem } from '../../domain/problem.ts';
import { respondWithError } from '../reply.ts';

/** Returns the origin of an `http:` or `https:` URL; `undefined` for anything else. */
export function originOf(address: string | null): string | undefined {
  if (address === null || !URL.canParse(address)) return undefined;
  const { origin, protocol } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}

/** Paths that a shop under development uses from its own origin: the scripts, and their requests and frames. */
const shared = [
  '/js/',
  '/_pages/',
  '/browser/card-fields',
  '/browser/challenge',
  '/browser/device-sessions',
  '/browser/authentications',
];
/** Pages that other sites link to. They forbid frames, and only their own forms have effects. */
const linked = ['/checkout/'];

function isUnder(path: string, places: readonly string[]): boolean {
  return places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));
}

/** Returns the path as the router reads it. */
function pathOf({ pathname }: URL): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}

function hostOf(request: Request): string {
  return request.headers.get('host') ?? new URL(request.url).host;
}

function hostnameOf(host: string): string {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}

/**
 * An IP address, or a name that public DNS never has. A DNS rebinding attack needs a public name, so these are safe.
 */
const privateHost = /^(?:\[[\da-f:.]+\]|\d+(?:\.\d+){3}|[\w-]+|[\w.-]+\.(?:internal|local|localhost|test))$/;

/** Where a sandbox listens. */
interface Place {
  readonly address: string;
  readonly isRemote: boolean;
}

/** Rejects foreign host names: after DNS rebinding, a web page still sends its own name as the host. */
function checkHost(request: Request, { hostname }: URL, { address, isRemote }: Place): void {
  const host = hostOf(request);
  const isAllowed = isRemote ? (name: string) => privateHost.test(name) : isLoopbackHost;
  // The request target can name a host too, and may differ from the header.
  if (isAllowed(hostnameOf(host)) && isAllowed(hostname)) return;
  const expected = isRemote
    ? 'an IP address, a name without a dot, or one under .internal, .local, .localhost or .test'
    : 'localhost, 127.x.x.x or [::1]';
  throw new Problem(
    403,
    'HOST_NOT_ALLOWED',
    `Expected the host to be ${expected}, got '${host}'. Open ${address} instead.`,
  );
}

/** Rejects the dashboard on a remote listener: its page contains a key. */
function checkDashboard(url: URL, { isRemote }: Place): void {
  if (!isRemote || pathOf(url) !== '/') return;
  throw new Problem(
    403,
    'DASHBOARD_NOT_ALLOWED',
    'Expected a sandbox that only this machine reaches, got one that listens with allowRemote. Use the control API instead.',
  );
}

/** Whether an origin is the sandbox's own, also behind a proxy that terminates https. */
export function isOwnOrigin(request: Request, header: string): boolean {
  const origin = originOf(header);
  const host = `http://${hostOf(request)}`;
  return origin !== undefined && URL.canParse(host) && new URL(origin).host === new URL(host).host;
}

function isLoopbackOrigin(header: string): boolean {
  const origin = originOf(header);
  return origin !== undefined && isLoopbackName(new URL(origin).hostname);
}

/** Whether a page of another site embeds or links to this. Browsers send no `Origin` then, but `Sec-Fetch-Site`. */
function isFromAnotherSite({ headers }: Request): boolean {
  return headers.get('sec-fetch-site') === 'cross-site';
}

function mayEmbed({ method }: Request, path: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return path === '/' || isUnder(path, shared) || isUnder(path, linked);
}

function mayCall(request: Request, url: URL): boolean {
  const origin = request.headers.get('origin');
  const path = pathOf(url);
  if (origin === null) return !isFromAnotherSite(request) || mayEmbed(request, path);
  return isOwnOrigin(request, origin) || (isLoopbackOrigin(origin) && isUnder(path, shared));
}

function checkOrigin(request: Request, url: URL): void {
  if (mayCall(request, url)) return;
  const origin = request.headers.get('origin') ?? 'a page of another site';
  throw new Problem(
    403,
    'ORIGIN_NOT_ALLOWED',
    `Expected a program or the sandbox's own page, got '${origin}'. ` +
      'Pages on this machine may use the scripts; call anything else from a server.',
  );
}

/** Rejects card fields for remote pages: the frame posts messages to the page that its URL names. */
function checkFrame(url: URL): void {
  if (pathOf(url) !== '/browser/card-fields') return;
  // Checks all values, since readers of a query differ in which of several they use.
  const origins = url.searchParams.getAll('origin').flatMap((value) => originOf(value) ?? []);
  if (origins.every(isLoopbackOrigin)) return;
  throw new Problem(
    403,
    'ORIGIN_NOT_ALLOWED',
    'Expected ?origin= to be a page on this machine, got another one. Open the shop at a loopback address.',
    'origin',
  );
}

/**
 * Rejects an HTTP request that a foreign web page could send: for another host, or from another origin.
 *
 * @returns The refusal; `undefined` if the request may be answered.
 */
export function refusalOf(request: Request, place: Place): Response | undefined {
  const url = new URL(request.url);
  try {
    checkHost(request, url, place);
    checkOrigin(request, url);
    checkDashboard(url, place);
    checkFrame(url);
    return undefined;
  } catch (error) {
    return respondWithError(error);
  }
}
