import { day } from '../base/time.ts';

/**
 * How long a store remembers the attempts of a claim after its lease expired, in ms. A week, longer than services
 * redeliver an event. Until then the claim can still be completed, unless another claim took over.
 */
export const attemptsRetention = 7 * day;
