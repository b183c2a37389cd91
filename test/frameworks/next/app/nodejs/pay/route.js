import { openShop } from '../../../shop.js';

const { pay } = openShop(process.env);

export async function POST(request) {
  const { order } = await request.json();
  return Response.json(await pay(order));
}
