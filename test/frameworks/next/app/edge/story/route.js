import worker from '../../../story/worker.mjs';

export const runtime = 'edge';

export const POST = worker.fetch;
