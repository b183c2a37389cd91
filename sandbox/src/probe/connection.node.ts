import http from 'node:http';
import https from 'node:https';
import { isLoopbackHost } from '../base/web-address.ts';
import type { Received, Send } from './sender.ts';

function optionsOf(hostname: string): http.AgentOptions {
  // Node 22.21 and 24.5 read the variables of a proxy from here. A host of this machine never has one.
  return { keepAlive: true, ...(!isLoopbackHost(hostname) && { proxyEnv: process.env }) };
}

/**
 * Returns what sends requests to a service, over connections of its own. The runtime's `fetch` would use no proxy of the environment, and add
 * headers.
 */
export function connectTo(origin: string): Send {
  const { protocol, hostname } = new URL(origin);
  const isSecure = protocol === 'https:';
  const { request } = isSecure ? https : http;
  const agent = isSecure ? new https.Agent(optionsOf(hostname)) : new http.Agent(optionsOf(hostname));
  return ({ method, url, headers, body }, signal) =>
    new Promise<Received>((resolve, reject) => {
      const outgoing = request(url, { method, headers, agent, signal });
      outgoing.on('response', (message) => {
        const { statusCode: status = 0 } = message;
        const get = (name: string) => message.headers[name]?.toString() ?? null;
        resolve({ status, headers: { get }, body: message });
      });
      // Without a listener Node closes the connection, and no event says so.
      outgoing.on('upgrade', (_message, socket) => {
        socket.destroy();
        reject(new Error('another protocol'));
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
}
