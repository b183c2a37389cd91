/** The files that the pages load. */
export type AssetName =
  | 'Gateway.js'
  | 'CollectJS.js'
  | 'card-fields.js'
  | 'challenge.js'
  | 'checkout.js'
  | 'dashboard.js'
  | 'pages.css'
  | 'frames.css'
  | 'dashboard.css';

/** Returns the path of a file of the sandbox's own pages. */
export function assetPath<Name extends string>(name: Name): `/_pages/${Name}` {
  return `/_pages/${name}`;
}

const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const;

function typeOf(name: string): string {
  return name.endsWith('.css') ? types.css : types.js;
}

async function unpack(): Promise<ReadonlyMap<string, string>> {
  const { bundles } = await import('./bundles.ts');
  if (bundles === '') throw new Error('pages: expected their files, got none. Build the package first.');
  const bytes = Uint8Array.from(atob(bundles), (character) => character.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const texts: Readonly<Record<string, string>> = JSON.parse(await new Response(unpacked).text());
  return new Map(Object.entries(texts));
}

let texts: ReturnType<typeof unpack> | undefined;

/** Returns a file's text. The bundles load on the first request, since few sandboxes show a page. */
async function readAsset(name: string): Promise<string | undefined> {
  texts ??= unpack();
  return (await texts).get(name);
}

/**
 * Serves a file that the pages load; 404 for an unknown name. Any origin may load it: pages that use `integrity` need
 * the CORS header.
 */
export async function serveAsset(name: string): Promise<Response> {
  const text = await readAsset(name);
  if (text === undefined) return new Response('There is no such file.', { status: 404 });
  const headers = {
    'content-type': typeOf(name),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  };
  return new Response(text, { headers });
}
