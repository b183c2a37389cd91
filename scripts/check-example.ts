/** Starts the example’s shop as its reader does, and looks at what it serves. Needs the build. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const program = resolve(import.meta.dirname, '../examples/web-checkout/server.ts');
const shop = spawn(process.execPath, [program], {
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});

/** The addresses that it prints, in their order. */
async function readAddresses(): Promise<readonly string[]> {
  const addresses: string[] = [];
  for await (const line of createInterface({ input: shop.stdout })) {
    addresses.push(...(line.match(/http:\/\/[\d.:]+\d/) ?? []));
    if (addresses.length === 2) break;
  }
  return addresses;
}

try {
  const [address = '', sandbox = ''] = await readAddresses();
  const order = await fetch(address);
  assert.match(order.url, /\/orders\/order-/);
  assert.match(await order.text(), /Pay here/);
  assert.match(await (await fetch(`${address}/payments-client/browser.js`)).text(), /loadGateway/);
  assert.match(await (await fetch(`${address}/shop.js`)).text(), /collectToken/);
  assert.match(await (await fetch(sandbox)).text(), /<title>Sandbox<\/title>/);
  const hosted = await fetch(`${order.url}/checkout`, { method: 'POST' });
  assert.match(await hosted.text(), /Pay \$24\.00/);
  console.log('The shop of the example runs.');
} finally {
  shop.kill();
}
