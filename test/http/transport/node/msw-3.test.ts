import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { onTestFinished } from 'vitest';
import { type NetworkMock, suite, unreachableUrls } from './replaced-network.ts';

const replace: NetworkMock = (url, reaction, onArrival) => {
  const server = setupServer(
    http.post(`${url}/*`, () => {
      onArrival();
      if (reaction === 'never reply') return new Promise<never>(() => {});
      return reaction === 'approve' ? new HttpResponse('response=1') : HttpResponse.error();
    }),
  );
  server.listen();
  onTestFinished(() => server.close());
};

suite('msw 3', replace, unreachableUrls);
