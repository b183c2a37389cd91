import { Problem } from '../../domain/problem.ts';

/** A story that cannot be played again. */
export function notWhole(reason: string): Problem {
  return new Problem(409, 'STORY_NOT_WHOLE', `The story cannot be exported as a test: ${reason}`);
}
