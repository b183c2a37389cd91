/** The entries on a server, and their size in a page. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CardFields, useGateway } from 'payments-client/react';
import { createElement, type ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it, onTestFinished } from 'vitest';
import { bundle } from './site.ts';

/** Runs a program in a separate Node, which exits on an unhandled rejection. */
async function run(program: string): Promise<{ status: number | null; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'server-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'entry.mjs'), await bundle());
  writeFileSync(join(folder, 'main.mjs'), `import * as sdk from './entry.mjs';\n${program}`);
  const args = ['--unhandled-rejections=strict', join(folder, 'main.mjs')];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

const options = `{ baseUrl: 'https://payments.example', apiKey: 'pk_1', environment: 'sandbox' }`;

it('a load without await on a server causes no unhandled rejection', async () => {
  const program = `
    const before = Object.keys(globalThis).length;
    globalThis.kept = [sdk.loadGateway(${options}), sdk.loadCardFields({ src: '/fields.js' })];
    setTimeout(() => console.log('still here', Object.keys(globalThis).length - before));`;
  expect(await run(program)).toEqual({ status: 0, output: 'still here 1\n' });
});

it('an awaited load on a server rejects with advice', async () => {
  const program = `
    for (const load of [() => sdk.loadGateway(${options}), () => sdk.loadCardFields({ src: '/fields.js' })]) {
      const error = await load().catch((reason) => reason);
      console.log(error instanceof sdk.BrowserError, error.code, error.message);
    }`;
  const { status, output } = await run(program);
  expect(status).toBe(0);
  expect(output).toMatch(
    /^true not_in_browser loadGateway: expected a browser.*\ntrue not_in_browser loadCardFields: .*\n$/,
  );
});

function Shop(): ReactElement {
  const options = { baseUrl: 'https://payments.example', apiKey: 'pk_1', environment: 'sandbox' };
  const { gateway, error } = useGateway(options);
  const state = gateway === undefined && error === undefined ? 'loading' : 'something';
  const [first, second] = ['card', 'gift'].map((className) =>
    createElement(CardFields, { key: className, src: '/fields.js', className, onToken: () => {} }),
  );
  return createElement('p', null, state, first, second);
}

it('the React bindings render on a server', () => {
  const html = renderToString(createElement(Shop));
  const [, first, second] =
    /^<p>loading<div id="(.+)" class="card"><\/div><div id="(.+)" class="gift"><\/div><\/p>$/.exec(html) ??
    [];
  expect(first).toBeTruthy();
  expect(second).not.toBe(first);
});

it('the browser entry is at most 3.5 KB, minified and compressed', async () => {
  const minified = await bundle('src/browser/index.ts', true);
  expect(minified).toContain('CollectJS');
  expect(minified).not.toMatch(/\bimport\b|\brequire\(/);
  expect(gzipSync(minified, { level: 9 }).length).toBeLessThanOrEqual(3.5 * 1024);
});
