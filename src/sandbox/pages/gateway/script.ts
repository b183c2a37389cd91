import { serveAsset } from '../assets.ts';

/**
 * Serves `Gateway.js` with the sandbox's public key, so that the script reports a wrong key at once. The key is
 * block-scoped, so the page cannot read it.
 */
export async function serveGateway(publicKey: string): Promise<Response> {
  const asset = await serveAsset('Gateway.js');
  const text = `{const sandboxPublicKey=${JSON.stringify(publicKey)};\n${await asset.text()}}\n`;
  return new Response(text, { headers: asset.headers });
}
