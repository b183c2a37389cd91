import type { Command } from 'commander';
import type { ClockMove } from '../../sandbox/control/clock-routes.ts';
import type { Console } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { describe } from '../help.ts';
import { withOptions } from '../options.ts';
import { visible } from '../visible.ts';

const examples = ["clock advance '3 days'", "clock advance '90 min'"];

/** `clock advance <duration>`: advances the clock. */
export function addClock(program: Command, console: Console): void {
  const clock = program.command('clock').helpCommand(false);
  describe(clock, {
    summary: 'Advances the clock of a running sandbox, and runs the work that becomes due, such as retries.',
    examples,
  });
  const advance = describe(clock.command('advance <duration>'), {
    summary: "Advances the clock by a duration, such as '3 days', '2 h', '90 min', '30 s' or '250 ms'.",
    examples,
  });
  withOptions(advance, ...controlOptions).action(async (duration: string, given: ControlOptions) => {
    // Not validated: the control API is in the same package, and its tests check the form.
    const move = (await controlClient(given).post('clock', { advance: duration })) as ClockMove;
    console.print(move, visible(`It is ${move.time}. ${move.summary.text}`));
  });
}
