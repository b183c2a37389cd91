import nock from 'nock';
import { onTestFinished } from 'vitest';
import { type NetworkTool, nowhere, suite } from './replaced-network.ts';

const replace: NetworkTool = (url, fate, onArrival) => {
  const interceptor = nock(url).persist().post(/./);
  interceptor.reply(200, () => {
    onArrival();
    if (fate === 'never reply') return new Promise<never>(() => {});
    if (fate === 'approve') return 'response=1';
    throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
  });
  onTestFinished(() => {
    nock.abortPendingRequests();
    nock.cleanAll();
  });
};

suite('nock', replace, nowhere);
