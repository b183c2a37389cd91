/** What the tests of monitoring share. */

import { type FraudMetricName, FraudMonitor, type FraudMonitorOptions } from 'payments-client/fraud';

export const hour = 3_600_000;
export const day = 24 * hour;
export const start = Date.UTC(2026, 0, 31, 12, 30);

/** A monitor whose time a test moves. */
export function monitorAt(options: FraudMonitorOptions = {}) {
  let time = start;
  const monitor = new FraudMonitor({ now: () => time, ...options });
  return {
    monitor,
    at: (ms: number) => {
      time = start + ms;
    },
    metric: (name: FraudMetricName) => monitor.report().find(({ metric }) => metric === name),
  };
}
