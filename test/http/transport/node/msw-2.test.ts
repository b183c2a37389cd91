import { HttpResponse, http } from 'msw-2';
import { setupServer } from 'msw-2/node';
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

suite('msw 2', replace, nowhere);
