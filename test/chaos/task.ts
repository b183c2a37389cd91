/** The task of a process, which may be a restart. */
export interface WorkerTask {
  readonly worker: number;
  readonly operations: number;
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly securityKey: string;
  /** The path of its notes. */
  readonly journal: string;
  /** The attempt timeout, in ms. */
  readonly timeout: number;
}
