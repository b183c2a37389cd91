/** What Linux reports on an established connection when ICMP says that the host cannot be reached, after the request has left. */

import http, { type ClientRequest } from 'node:http';
import { drawsFrom } from '../support/draws.ts';

const codes = ['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED'] as const;
/** Of so many requests one meets such an error. */
const frequency = 60;

/** From now on some requests of this process lose their connection in this way, once all of them was handed to the kernel. */
export function breakSomeConnections(seed: number): void {
  const draw = drawsFrom(seed);
  const original = http.request;
  const breaking = (options: http.RequestOptions): ClientRequest => {
    const request = original(options);
    if (draw(frequency) > 0) return request;
    const code = codes[draw(codes.length)];
    const error = Object.assign(new Error(`read ${code}`), { code, syscall: 'read' });
    request.once('finish', () => request.socket?.destroy(error));
    return request;
  };
  Object.assign(http, { request: breaking });
}
