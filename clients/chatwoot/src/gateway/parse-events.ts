/**
 * The `data` of each server-sent event of a body.
 * @param heard called for all that arrives, comments too
 */
export async function* parseEvents(body: ReadableStream<Uint8Array> | null, heard: () => void): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  for await (const chunk of body) {
    heard();
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.map((text) => text.replace(/\r$/, ''))) {
      if (line === '') {
        if (data.length > 0) yield data.join('\n');
        data = [];
      } else if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''));
    }
  }
}
