/**
 * The error that Linux reports on an established connection when ICMP says that the host is unreachable, after the
 * request was sent.
 */

import http, { type ClientRequest } from 'node:http';
import { drawsFrom } from '../../support/draws.ts';

const codes = ['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED'] as const;
/** One request in this many gets such an error. */
const frequency = 60;

/** Breaks some connections of this process in this way, after the kernel has the whole request. */
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
