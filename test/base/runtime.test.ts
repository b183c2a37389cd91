/** Reaches inside: no entry exports these functions, and a hostile `process` has to meet each of them alone. */

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { builtinModule, environmentVariable, isBrowser } from '../../src/base/runtime.ts';
import { hostileProcesses } from '../support/hostile-processes.ts';

/** What a runtime answers whose `process` is this. */
function askWith<Answer>(process: unknown, question: () => Answer): Answer {
  vi.stubGlobal('process', process);
  try {
    return question();
  } finally {
    vi.unstubAllGlobals();
  }
}

const findCrypto = () => builtinModule('node:crypto', ({ createHash }) => createHash('md5') !== undefined);

describe.each(hostileProcesses)('with %s for process', (_, process) => {
  it('there is no environment variable', () => {
    expect(askWith(process, () => environmentVariable('PAYMENTS_BASE_URL'))).toBeUndefined();
  });

  it('there is no built-in module', () => {
    const isHmacThere = (module: object) => Reflect.get(module, 'isHmacThere') === true;
    expect(askWith(process, () => builtinModule('node:crypto', isHmacThere))).toBeUndefined();
  });
});

it('a process that throws when it is read is not there', () => {
  const real = Object.getOwnPropertyDescriptor(globalThis, 'process') ?? {};
  onTestFinished(() => void Object.defineProperty(globalThis, 'process', real));
  const get = () => {
    throw new Error('There is no process here.');
  };
  Object.defineProperty(globalThis, 'process', { get, configurable: true });
  const answers = [environmentVariable('HOME'), findCrypto()];
  Object.defineProperty(globalThis, 'process', real);
  expect(answers).toEqual([undefined, undefined]);
});

describe('environmentVariable', () => {
  it('reads a variable where all else of process throws', () => {
    const members = { env: { NAME: 'value' }, getBuiltinModule: () => expect.fail() };
    expect(askWith(members, () => environmentVariable('NAME'))).toBe('value');
  });

  it.each([
    ['an empty text', ''],
    ['a number', 7],
    ['an object', {}],
  ])('takes %s for absent', (_, value) => {
    expect(askWith({ env: { NAME: value } }, () => environmentVariable('NAME'))).toBeUndefined();
  });

  it('takes a variable that may not be read for absent', () => {
    const env = {
      get NAME(): string {
        throw new Error('Requires env access to "NAME"');
      },
    };
    expect(askWith({ env }, () => environmentVariable('NAME'))).toBeUndefined();
  });
});

describe('isBrowser', () => {
  const page = { window: {}, document: {} };
  /** What a bundler puts in the place of `process`, even with a version of Node. */
  const substitute = { env: {}, browser: true, versions: { node: '22.12.0' } };

  /** What a runtime with these globals answers. */
  function askOf(globals: Readonly<Record<string, unknown>>): boolean {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    try {
      return isBrowser();
    } finally {
      vi.unstubAllGlobals();
    }
  }

  it.each([
    ['a page', { ...page, process: undefined }],
    ['a page with a substitute for process', { ...page, process: substitute }],
    ['a worker of a page', { WorkerLocation: class {}, process: undefined }],
  ])('is true in %s', (_, globals) => {
    expect(askOf(globals)).toBe(true);
  });

  it.each([
    ['Node', {}],
    ['Node with jsdom or happy-dom', page],
    ['an Edge runtime', { process: undefined }],
    ['Workers', { importScripts: () => {}, WorkerGlobalScope: class {}, process: undefined }],
    ['Workers with a substitute for process', { process: substitute }],
    ['React Native and Deno 1, which have no document', { window: {}, process: undefined }],
    ['a program that renders pages without a window', { document: {}, process: undefined }],
  ])('is false in %s', (_, globals) => {
    expect(askOf(globals)).toBe(false);
  });
});

describe('builtinModule', () => {
  it('gives a module that works', async () => {
    expect(findCrypto()).toBe((await import('node:crypto')).default);
  });

  it('gives no module that does not', () => {
    expect(builtinModule('node:crypto', () => false)).toBeUndefined();
  });
});
