import worker from '../../../story/worker.mjs';

export const runtime = 'nodejs';

export const POST = worker.fetch;
