import http, { type ClientRequest } from 'node:http';
import { PassThrough } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { type NetworkTool, nowhere, suite } from './replaced-network.ts';

function answerOf(body: string): PassThrough {
  const message = Object.assign(new PassThrough(), { statusCode: 200, headers: {} });
  message.end(body);
  return message;
}

/** A request of a hand-made double: it takes what is written, and never has a connection. */
const replace: NetworkTool = (_url, fate, onArrival) => {
  const request = vi.spyOn(http, 'request').mockImplementation(() => {
    const outgoing = new PassThrough();
    outgoing.on('finish', () => {
      onArrival();
      if (fate === 'lose the reply') outgoing.destroy(Object.assign(new Error('lost'), { code: 'EPIPE' }));
      if (fate === 'approve') outgoing.emit('response', answerOf('response=1'));
    });
    // The parts of a request that the double does not have are not asked for.
    return outgoing as unknown as ClientRequest;
  });
  onTestFinished(() => request.mockRestore());
};

suite('a patched http.request', replace, nowhere.slice(0, 1));
