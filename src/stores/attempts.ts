import { day } from '../base/time.ts';

/**
 * How long the attempts of a claim are remembered after its lease ran out, in ms: a week, longer than services go on to
 * deliver an event. As long the claim may still be completed, where no other took it over.
 */
export const attemptsRetention = 7 * day;
