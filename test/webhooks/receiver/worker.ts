/**
 * A Worker with any number of shops, each under its own path: `/<name>/w` receives, `/<name>/used` receives with an
 * already read body, `/<name>/seen` returns the calls.
 */

import { createShop, type Shop } from './shop.ts';

const shops = new Map<string, Shop>();

function shopOf(name: string): Shop {
  const shop = shops.get(name) ?? createShop();
  shops.set(name, shop);
  return shop;
}

export default {
  async fetch(request: Request): Promise<Response> {
    const [, name = '', what] = new URL(request.url).pathname.split('/');
    const { receiver, calls } = shopOf(name);
    if (what === 'runtime') return Response.json({ hasProcess: 'process' in globalThis });
    if (what === 'used') await request.text();
    return what === 'seen' ? Response.json(calls) : receiver.fetch(request);
  },
};
