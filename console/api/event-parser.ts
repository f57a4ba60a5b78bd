/** One server-sent event, as far as it is used. */
export interface StreamEvent {
  id: string;
  data: string;
}

/** Takes pieces of a stream as they come; gives the events that are complete. */
export function eventParser(): (text: string) => StreamEvent[] {
  let rest = '';
  return (text) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.map(eventOf).filter(({ data }) => data !== '');
  };
}

function eventOf(block: string): StreamEvent {
  const field = (name: string): string =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${name}: `))
      .map((line) => line.slice(name.length + 2))
      .join('\n');
  return { id: field('id'), data: field('data') };
}
