import type { Failure } from './campaign.ts';

/** What a person needs to understand a failure, and to repeat it. */
export function describeFailure({ seed, violation, schedule }: Failure): string {
  return [
    `Seed ${seed}: ${violation}. The shortest schedule found:`,
    ...schedule.map((line) => `  ${line}`),
    `Repeat it with: npm run test:simulate -- --seed ${seed} --operations 10`,
  ].join('\n');
}
