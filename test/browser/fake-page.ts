/** A page without a browser, for the entry's own rules. What only a browser decides: `entry/`. */

import { onTestFinished, vi } from 'vitest';

/** A script element. */
class FakeScript extends EventTarget {
  src = '';
  nonce = '';
  integrity = '';
  crossOrigin: string | null = null;
  readonly attributes: Record<string, string> = {};
  readonly #page: FakeScript[];

  constructor(page: FakeScript[]) {
    super();
    this.#page = page;
  }

  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }

  remove(): void {
    this.#page.splice(this.#page.indexOf(this), 1);
  }
}

/** What loading a script does: defines its globals, fails, or never ends. */
export type Loading = (() => object) | 'fails' | 'hangs';

export interface FakePage {
  /** The script elements of the page. */
  readonly scripts: readonly FakeScript[];
  /** The URLs that were requested, in order. */
  readonly requested: readonly string[];
}

/**
 * Opens a page at `https://shop.example/cart` until the test ends.
 *
 * @param load Returns what loading the nth requested script does. The globals that it defines are those of the page.
 */
export function openFakePage(load: (url: string, count: number) => Loading): FakePage {
  const scripts: FakeScript[] = [];
  const requested: string[] = [];
  const append = (script: FakeScript): void => {
    scripts.push(script);
    requested.push(script.src);
    const loading = load(script.src, requested.length);
    if (loading === 'hangs') return;
    queueMicrotask(() => {
      if (loading !== 'fails')
        for (const [name, value] of Object.entries(loading())) vi.stubGlobal(name, value);
      script.dispatchEvent(new Event(loading === 'fails' ? 'error' : 'load'));
    });
  };
  vi.stubGlobal('document', {
    baseURI: 'https://shop.example/cart',
    scripts,
    head: { append },
    createElement: () => new FakeScript(scripts),
    querySelector: () => null,
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return { scripts, requested };
}

/** The error of a call: its code, and all that it says. */
export async function failureOf(call: () => unknown) {
  try {
    await call();
  } catch (error) {
    const { name, code, message, cause, stack } = Object(error);
    return { name, code, message, cause, all: `${message} ${stack}` };
  }
  return { code: 'none', all: '' };
}
