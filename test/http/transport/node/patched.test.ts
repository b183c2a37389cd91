import http, { type ClientRequest } from 'node:http';
import { PassThrough } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { type NetworkMock, suite, unreachableUrls } from './replaced-network.ts';

function responseWith(body: string): PassThrough {
  const message = Object.assign(new PassThrough(), { statusCode: 200, headers: {} });
  message.end(body);
  return message;
}

/** A request of a hand-written mock: it accepts writes, and never has a connection. */
const replace: NetworkMock = (_url, reaction, onArrival) => {
  const request = vi.spyOn(http, 'request').mockImplementation(() => {
    const outgoing = new PassThrough();
    outgoing.on('finish', () => {
      onArrival();
      if (reaction === 'lose the reply')
        outgoing.destroy(Object.assign(new Error('lost'), { code: 'EPIPE' }));
      if (reaction === 'approve') outgoing.emit('response', responseWith('response=1'));
    });
    // The client does not use the parts of a request that the mock lacks.
    return outgoing as unknown as ClientRequest;
  });
  onTestFinished(() => request.mockRestore());
};

suite('a patched http.request', replace, unreachableUrls.slice(0, 1));
