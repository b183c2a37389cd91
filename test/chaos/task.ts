/** What a process is told when it is started, and started again. */
export interface WorkerTask {
  readonly worker: number;
  readonly operations: number;
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly securityKey: string;
  /** Where it writes down what it did. */
  readonly journal: string;
  /** The attempt time-out, in ms. */
  readonly timeout: number;
}
