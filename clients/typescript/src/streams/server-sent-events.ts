/** An event of a stream, as the HTML standard defines them. */
export interface ServerSentEvent {
  /** Empty if it has none. */
  id: string;
  data: string;
}

/** The gateway sends something every 15 s: after three times of silence the connection is dead. */
const silenceMs = 45_000;

/**
 * The events of a response, until it ends. Comments are passed over.
 * @throws what the connection throws if it breaks, and after 45 s of silence
 */
export async function* serverSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let event: ServerSentEvent = { id: '', data: '' };
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read());
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (event.data !== '') yield { ...event, data: event.data.slice(0, -1) };
          event = { id: '', data: '' };
        } else {
          addField(event, line);
        }
      }
    }
  } finally {
    // A connection that is broken already cannot be ended.
    await reader.cancel().catch(() => {});
  }
}

function addField(event: ServerSentEvent, line: string): void {
  const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
  if (field === 'id') event.id = value;
  if (field === 'data') event.data += `${value}\n`;
}

async function inTime<Value>(reading: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came for ${silenceMs} ms`)), silenceMs);
  });
  try {
    return await Promise.race([reading, silence]);
  } finally {
    clearTimeout(timer);
  }
}
