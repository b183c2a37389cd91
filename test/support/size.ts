/** Whether tests that can be long are to be: `TEST_SIZE=full`, else a short form of each runs with all others. */
export const isFull = process.env['TEST_SIZE'] === 'full';
