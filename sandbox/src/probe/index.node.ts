/** The part of the probe that the program uses. */

export type { Leftover } from './created.ts';
export { readDelivery } from './delivery.ts';
export { listRequests } from './dry-run.ts';
export { type Finding, type Need, notSeen } from './finding.ts';
export { writeInterfaceFile } from './interface-file.ts';
export { type Line, probe, type Report } from './probe.ts';
export type { Question } from './question.ts';
export { type DeliveryListener, listenForDelivery } from './receive-delivery.node.ts';
export { methodOf, type Service, send, targetOf } from './sender.ts';
export { type ServiceOptions, serviceAt } from './service.node.ts';
export { readWebhookForm } from './webhook-form.ts';
