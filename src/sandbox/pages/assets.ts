/** Where a file of the sandbox's own pages is. */
export function assetPath<Name extends string>(name: Name): `/_pages/${Name}` {
  return `/_pages/${name}`;
}

const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const;

function typeOf(name: string): string {
  return name.endsWith('.css') ? types.css : types.js;
}

async function unpack(): Promise<ReadonlyMap<string, string>> {
  const { bundles } = await import('./bundles.ts');
  const bytes = Uint8Array.from(atob(bundles), (character) => character.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const texts: Readonly<Record<string, string>> = JSON.parse(await new Response(unpacked).text());
  return new Map(Object.entries(texts));
}

let texts: ReturnType<typeof unpack> | undefined;

/** A file's text. Few sandboxes show a page, so what the pages run is loaded when the first one asks. */
async function readAsset(name: string): Promise<string | undefined> {
  texts ??= unpack();
  return (await texts).get(name);
}

/**
 * A file that the pages load; 404 where there is none of that name. Any page may load it, also with `integrity`, which asks
 * for the header that lets it.
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
