import { receiver } from '../../shop.server.js';

export const POST = ({ request }) => receiver.fetch(request);
