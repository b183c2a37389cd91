import worker from '../../../scenario/worker.mjs';

export const runtime = 'edge';

export const POST = worker.fetch;
