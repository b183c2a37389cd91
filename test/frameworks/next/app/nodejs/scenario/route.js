import worker from '../../../scenario/worker.mjs';

export const runtime = 'nodejs';

export const POST = worker.fetch;
