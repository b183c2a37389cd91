import type { Inline } from '../base/runtime/runtime.ts';
import { bounded, Interrupted } from '../base/time.ts';
import { expectInteger, hasMethod } from './checks.ts';
import { BrowserError, refuseOptionValue } from './error.ts';

/** Options of loading a script. */
export type ScriptOptions = Inline<{
  /** The nonce that your Content-Security-Policy requires. Default: none. */
  readonly nonce?: string | undefined;
  /** The hash of the script (Subresource Integrity). The script's server must allow your page by CORS. Default: none. */
  readonly integrity?: string | undefined;
  /** The timeout of one load attempt, in ms. Default: 10,000. */
  readonly timeout?: number | undefined;
  /** How many times a failed load is retried, without a delay. Default: 1. */
  readonly maxRetries?: number | undefined;
}>;

/** The names of these options. */
export const scriptOptions: readonly string[] = ['nonce', 'integrity', 'timeout', 'maxRetries'];

/** A script, and the API that it defines. */
interface Script<Method extends string> extends ScriptOptions {
  readonly url: URL;
  /** The name of the script's global. */
  readonly global: string;
  /** A method that the global must have. */
  readonly method: Method;
  /** Further attributes of the element. */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
}

/** Marks elements across copies of this module: the global that the script defined, or null while it loads. */
const mark = Symbol.for('payments-client/script');
const policyName = 'payments-client';

/** If the page enforces Trusted Types, a policy must approve the URL. A second policy of the same name may be forbidden. */
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
    // The page does not allow the policy. Unless it enforces Trusted Types, none is needed.
    return undefined;
  }
}

/** Throws if the page enforces Trusted Types and does not allow our policy. */
function setSource(element: HTMLScriptElement, { href }: URL): void {
  try {
    Reflect.set(element, 'src', trusted(href));
  } catch (cause) {
    const message = `Expected the page's trusted-types to allow the policy '${policyName}', but it does not.`;
    throw new BrowserError(message, { code: 'load_failed', cause });
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

/** Returns the global that the script defined; `undefined` while it loads. */
function definedBy(element: HTMLScriptElement, global: string): unknown {
  // A script element of the page itself has no mark: it is loaded if its global exists.
  const known: unknown = Reflect.get(element, mark);
  return known === undefined ? Reflect.get(globalThis, global) : (known ?? undefined);
}

/** Waits until the script is loaded. */
async function loaded(element: HTMLScriptElement, where: string, timeout: number): Promise<void> {
  const fetched = new Promise((resolve, reject) => {
    element.addEventListener('load', resolve, { once: true });
    element.addEventListener('error', reject, { once: true });
  });
  try {
    await bounded(fetched, undefined, timeout);
  } catch (error) {
    const isLate = error instanceof Interrupted;
    const reason = isLate
      ? `it did not within ${timeout} ms.`
      : 'it did not. Check the console for a wrong URL, a network failure, the Content-Security-Policy or the integrity.';
    throw new BrowserError(`Expected the script ${where} to load, but ${reason}`, {
      code: isLate ? 'timeout' : 'load_failed',
    });
  }
}

async function attempt<Method extends string>(
  script: Script<Method>,
  element: HTMLScriptElement,
  timeout: number,
): Promise<Record<Method, (...values: unknown[]) => unknown>> {
  const { url, global, method } = script;
  const where = url.origin + url.pathname;
  if (definedBy(element, global) === undefined) await loaded(element, where, timeout);
  // Stored on its own element, since a script from another URL may define the same name.
  const defined = definedBy(element, global) ?? Reflect.get(globalThis, global);
  Reflect.set(element, mark, defined);
  if (hasMethod(defined, method)) return defined;
  throw new BrowserError(`Expected the script ${where} to define ${global}.${method}, but it does not.`, {
    code: 'load_failed',
  });
}

/**
 * Loads a script once per page, whatever the number of calls and of copies of this module, and returns its global. A
 * failed load leaves nothing behind, so a later call retries.
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
    if (value !== undefined && typeof value !== 'string')
      refuseOptionValue(`${call}.${name}`, 'a string', value);
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
 * Without a document nothing can be loaded. Frameworks that render on a server only hold the promise, so it must not
 * cause an unhandled rejection.
 */
export function inBrowser<T>(call: string, load: () => Promise<T>): Promise<T> {
  if (typeof document === 'object') return load();
  const message = `${call}: expected a browser, got a runtime without a document. Call it in the page, for example in an effect.`;
  const refused = Promise.reject<T>(new BrowserError(message, { code: 'not_in_browser' }));
  refused.catch(() => {});
  return refused;
}
