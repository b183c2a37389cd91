import { fieldOf } from '../frames/field.ts';
import { type Callback, checkCallback, invokeLater, logError } from './callback.ts';
import type { Service } from './service.ts';

const name = 'Gateway.getRisk().collectDeviceData';

/** Facts about the device that need no permission and identify nobody. */
function deviceFacts(): Readonly<Record<string, string>> {
  return {
    language: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    screen: `${screen.width}x${screen.height}`,
    platform: navigator.platform,
  };
}

/** The fraud-scoring service of the script. */
export class Risk {
  readonly #service: Service;
  readonly #apiKey: string;

  constructor(service: Service, apiKey: string) {
    this.#service = service;
    this.#apiKey = apiKey;
  }

  /** Sends facts about the device, and calls back with the session's id. It never calls back on failure. */
  collectDeviceData(callback: Callback<string>): void {
    checkCallback(name, callback);
    this.#collect().then(
      (id) => invokeLater(callback, id),
      (error: unknown) => logError(name, error),
    );
  }

  async #collect(): Promise<string> {
    const fields = { apiKey: this.#apiKey, ...deviceFacts() };
    const id = fieldOf(await this.#service.post('browser/device-sessions', fields), 'id');
    if (typeof id === 'string') return id;
    throw new Error('the sandbox responded without a session id.');
  }
}
