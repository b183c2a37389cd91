import { expectInteger, hasMethod } from './checks.ts';
import { BrowserError, refuse } from './error.ts';

/** How a script is loaded. */
export interface ScriptOptions {
  /** The nonce that your Content-Security-Policy asks for. Default: none. */
  readonly nonce?: string | undefined;
  /** The hash that the script must have (Subresource Integrity). Its server must allow your page by CORS. Default: none. */
  readonly integrity?: string | undefined;
  /** When one attempt to load it is given up, in ms. Default: 10,000. */
  readonly timeout?: number | undefined;
  /** How often loading is tried again at once. Default: 1. */
  readonly maxRetries?: number | undefined;
}

/** Their names. */
export const scriptOptions: readonly string[] = ['nonce', 'integrity', 'timeout', 'maxRetries'];

/** A script, and what it defines. */
interface Script<Method extends string> extends ScriptOptions {
  readonly url: URL;
  /** The name of its global. */
  readonly global: string;
  /** A method that its global has. */
  readonly method: Method;
  /** Further attributes of the element. */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
}

/** Marks the elements of every copy of this module: what the script has defined, or null while it loads. */
const mark = Symbol.for('payments-client/script');
const policyName = 'payments-client';

/** Where Trusted Types are enforced, a policy has to vouch for the address. A second one of a name may be forbidden. */
function trusted(src: string): unknown {
  const policy: unknown =
    Reflect.get(document, mark) ?? createPolicy(Reflect.get(globalThis, 'trustedTypes'));
  Reflect.set(document, mark, policy);
  return hasMethod(policy, 'createScriptURL') ? policy.createScriptURL(src) : src;
}

function createPolicy(factory: unknown): unknown {
  if (!hasMethod(factory, 'createPolicy')) return undefined;
  try {
    return factory.createPolicy(policyName, { createScriptURL: (src: unknown) => src });
  } catch {
    // The page does not allow the policy. Unless it enforces Trusted Types, no policy is needed.
    return undefined;
  }
}

/** A page that enforces Trusted Types throws where its policy does not allow ours. */
function setSource(element: HTMLScriptElement, { href }: URL): void {
  try {
    Reflect.set(element, 'src', trusted(href));
  } catch (cause) {
    const message = `Expected the page's trusted-types to allow the policy '${policyName}', but they do not.`;
    throw new BrowserError('load_failed', message, cause);
  }
}

function find({ href }: URL): HTMLScriptElement | undefined {
  return [...document.scripts].find((element) => element.src === href);
}

function inject({ url, nonce, integrity, attributes = {} }: Script<string>): HTMLScriptElement {
  const element = document.createElement('script');
  Reflect.set(element, mark, null);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (nonce !== undefined) element.nonce = nonce;
  if (integrity !== undefined) {
    element.integrity = integrity;
    element.crossOrigin = 'anonymous';
  }
  setSource(element, url);
  document.head.append(element);
  return element;
}

/** What the script has defined, once it is loaded; `undefined` while it loads. */
function definedBy(element: HTMLScriptElement, global: string): unknown {
  // An element of the page itself has no mark: it is loaded where its global is there.
  const known: unknown = Reflect.get(element, mark);
  return known === undefined ? Reflect.get(globalThis, global) : (known ?? undefined);
}

/** Waits until the script is loaded. */
function loaded(element: HTMLScriptElement, where: string, timeout: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (code: 'load_failed' | 'timeout', message: string) =>
      reject(new BrowserError(code, `Expected the script ${where} to load, but ${message}`));
    const timer = setTimeout(() => fail('timeout', `it did not within ${timeout} ms.`), timeout);
    const done = (answer: () => void) => () => {
      clearTimeout(timer);
      answer();
    };
    element.addEventListener('load', done(resolve), { once: true });
    const reasons =
      'it did not. Look in the console: a wrong address, no network, the Content-Security-Policy or the integrity.';
    element.addEventListener(
      'error',
      done(() => fail('load_failed', reasons)),
      { once: true },
    );
  });
}

async function attempt<Method extends string>(
  script: Script<Method>,
  element: HTMLScriptElement,
  timeout: number,
): Promise<Record<Method, (...values: unknown[]) => unknown>> {
  const { url, global, method } = script;
  const where = url.origin + url.pathname;
  if (definedBy(element, global) === undefined) await loaded(element, where, timeout);
  // Kept on its own element, since a script from another address may define the same name.
  const defined = definedBy(element, global) ?? Reflect.get(globalThis, global);
  Reflect.set(element, mark, defined);
  if (hasMethod(defined, method)) return defined;
  throw new BrowserError(
    'load_failed',
    `Expected the script ${where} to define ${global}.${method}, but it does not.`,
  );
}

/**
 * Loads a script once for the page, however often and from whichever copy of this module it is asked for, and gives what it
 * defines. A load that failed leaves nothing behind, so that a later call tries again.
 *
 * @throws BrowserError `load_failed` or `timeout`.
 */
export async function loadScript<Method extends string>(
  call: string,
  script: Script<Method>,
): Promise<Record<Method, (...values: unknown[]) => unknown>> {
  const timeout = expectInteger(`${call}.timeout`, script.timeout, 1, 10_000);
  const maxRetries = expectInteger(`${call}.maxRetries`, script.maxRetries, 0, 1);
  for (const name of ['nonce', 'integrity'] as const) {
    const value: unknown = script[name];
    if (value !== undefined && typeof value !== 'string') refuse(`${call}.${name}`, 'a string', value);
  }
  for (let left = maxRetries; ; left -= 1) {
    const element = find(script.url) ?? inject(script);
    try {
      return await attempt(script, element, timeout);
    } catch (error) {
      element.remove();
      if (left === 0) throw error;
    }
  }
}

/**
 * Where there is no document nothing can be loaded. Whoever only keeps the promise, as frameworks do that render on a server,
 * is not troubled by it.
 */
export function inBrowser<T>(call: string, load: () => Promise<T>): Promise<T> {
  if (typeof document === 'object') return load();
  const message = `${call}: expected a browser, got a runtime without a document. Call it in the page, for example in an effect.`;
  const refused = Promise.reject<T>(new BrowserError('not_in_browser', message));
  refused.catch(() => {});
  return refused;
}
