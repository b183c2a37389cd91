/** Yields the lines of a body as they arrive. */
export async function* linesOf(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Yields the data of server-sent events as they arrive. The sandbox writes each on one line. */
export async function* dataOf(response: Response): AsyncGenerator<unknown> {
  for await (const line of linesOf(response)) {
    if (line.startsWith('data: ')) yield JSON.parse(line.slice('data: '.length));
  }
}
