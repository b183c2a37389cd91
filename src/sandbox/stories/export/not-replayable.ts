import { Problem } from '../../domain/problem.ts';

/** Creates the error for a story that cannot be replayed. */
export function notReplayable(reason: string): Problem {
  return new Problem(409, 'STORY_NOT_WHOLE', `The story cannot be exported as a test: ${reason}`);
}
