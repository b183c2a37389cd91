import { json } from '@sveltejs/kit';
import { pay } from '../../shop.server.js';

export async function POST({ request }) {
  const { order } = await request.json();
  return json(await pay(order));
}
