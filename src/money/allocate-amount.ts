import { isIntegerFrom } from '../base/integer.ts';
import { type Issue, issueAt } from '../base/issue.ts';
import { refuseArguments } from '../base/refuse.ts';
import { minorUnitIssues } from './minor-units.ts';

function weightIssues(weights: readonly number[]): Issue[] {
  if (!Array.isArray(weights)) return [issueAt('weights', 'an array of integers from 0', weights)];
  const wrong = weights.findIndex((weight) => !isIntegerFrom(weight, 0));
  if (wrong !== -1) return [issueAt(`weights[${wrong}]`, 'an integer from 0', weights[wrong])];
  if (weights.some((weight) => weight > 0)) return [];
  return [{ path: 'weights', expected: 'at least one that is not 0', received: 'none' }];
}

/**
 * Divides an amount by weights. The parts add up to exactly the amount, and each differs from its exact share by less than
 * one unit. The remainder goes to the parts that rounding reduced most; of equal ones, to the earlier.
 *
 * @param minorUnits An integer from 0, to divide.
 * @param weights Integers from 0, at least one of them above 0. Equal weights divide evenly; the amounts of lines divide in
 *   proportion.
 * @throws ConfigurationError for an amount or weights that are not such integers.
 *
 * @example
 * allocateAmount(1000, [1, 1, 1]); // [334, 333, 333]
 * // A refund of 5.00 over lines of 12.00 and 3.00:
 * allocateAmount(500, [1200, 300]); // [400, 100]
 */
export function allocateAmount(minorUnits: number, weights: readonly number[]): number[] {
  const issues = [...minorUnitIssues(minorUnits), ...weightIssues(weights)];
  refuseArguments('allocateAmount', issues);
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  const shares = weights.map((weight, index) => {
    const share = BigInt(minorUnits) * BigInt(weight);
    return { index, part: Number(share / total), lost: share % total };
  });
  const left = minorUnits - shares.reduce((sum, { part }) => sum + part, 0);
  const byLoss = [...shares].sort(
    (one, other) => Number(other.lost > one.lost) - Number(one.lost > other.lost),
  );
  for (const share of byLoss.slice(0, left)) share.part += 1;
  return shares.map(({ part }) => part);
}
