import { serveAsset } from '../assets.ts';

/**
 * The script `Gateway.js` with the sandbox's public key in it, by which it tells a page at once that it has another one. A
 * block keeps the name from the page.
 */
export async function serveGateway(publicKey: string): Promise<Response> {
  const asset = await serveAsset('Gateway.js');
  const text = `{const sandboxPublicKey=${JSON.stringify(publicKey)};\n${await asset.text()}}\n`;
  return new Response(text, { headers: asset.headers });
}
