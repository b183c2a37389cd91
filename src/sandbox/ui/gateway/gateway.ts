import { scriptAddress } from '../frames/script-address.ts';
import { readOptions } from './create.ts';
import { Risk } from './risk.ts';
import { Service } from './service.ts';
import { ThreeDSecure } from './three-d-secure-flow.ts';

const service = new Service(scriptAddress('Gateway.js'));

/** The client that a page creates with its public key. */
class Client {
  readonly #risk: Risk;
  readonly #threeDSecure: ThreeDSecure;

  constructor(apiKey: string) {
    this.#risk = new Risk(service, apiKey);
    this.#threeDSecure = new ThreeDSecure(service, apiKey);
  }

  getRisk(): Risk {
    return this.#risk;
  }

  get3DSecure(): ThreeDSecure {
    return this.#threeDSecure;
  }
}

Object.assign(window, { Gateway: { create: (options: unknown) => new Client(readOptions(options)) } });
