import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { onTestFinished } from 'vitest';
import { type NetworkTool, nowhere, suite } from './replaced-network.ts';

const replace: NetworkTool = (url, fate, onArrival) => {
  const server = setupServer(
    http.post(`${url}/*`, () => {
      onArrival();
      if (fate === 'never reply') return new Promise<never>(() => {});
      return fate === 'approve' ? new HttpResponse('response=1') : HttpResponse.error();
    }),
  );
  server.listen();
  onTestFinished(() => server.close());
};

suite('msw 3', replace, nowhere);
