import { describe, expect, it } from 'vitest';
import { LastEventWriter } from '../../../../actors/kit/last-event-writer.ts';
import type { NewEvent } from '../../../../actors/ports/event-store.ts';
import { NotOwnerError } from '../../../../actors/ports/ownership.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';
import { layerOver } from '../../../support/store/layer-over.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';

const stream = 'outbox-s1';
const event = (id: string): NewEvent => ({ id, type: 'OutboxMoved', data: {}, metadata: {} });

function open() {
  const memory = createMemoryStore(createDrivenClock());
  const happened: string[] = [];
  const store = layerOver(memory, {
    append: (...call) => {
      happened.push(`append ${call[1]}`);
      return memory.append(...call);
    },
    last: (name) => {
      happened.push('last');
      return memory.last(name);
    },
  });
  const owner = { owns: true };
  const mustOwn = (): void => {
    happened.push('asked');
    if (!owner.owns) throw new NotOwnerError('s1');
  };
  return { memory, store, happened, owner, writer: new LastEventWriter({ store, mustOwn }, stream) };
}

describe('the writer of a stream of which the last event counts', () => {
  it('[CL2.9] reads the end, asks for the owner, and appends behind it', async () => {
    const { writer, happened } = open();
    expect(await writer.write(event('a'))).toBe(0);
    expect(await writer.write(event('b'))).toBe(1);
    expect(happened).toEqual(['last', 'asked', 'append no-stream', 'asked', 'append 0']);
  });

  it('[CL2.9] does not read the end that its maker has read, and does if another process has appended', async () => {
    const { memory, store, happened } = open();
    const writer = new LastEventWriter({ store }, stream, -1);
    expect(await writer.write(event('a'))).toBe(0);
    await memory.append(stream, 0, [event('other')]);
    const later = new LastEventWriter({ store }, stream, 0);
    expect(await later.write(event('b'))).toBe(2);
    expect(happened).toEqual(['append no-stream', 'append 0', 'last', 'append 1']);
  });

  it('[CL2.9] reads the end again behind the append of an earlier owner, and asks again', async () => {
    const { memory, writer, happened } = open();
    await writer.write(event('a'));
    await memory.append(stream, 0, [event('of another')]);
    happened.splice(0);
    expect(await writer.write(event('b'))).toBe(2);
    expect(happened).toEqual(['asked', 'append 0', 'last', 'asked', 'append 1']);
  });

  it('[CL2.9] writes nothing behind the append of a later owner', async () => {
    const { memory, writer, owner } = open();
    await writer.write(event('a'));
    await memory.append(stream, 0, [event('of the next')]);
    owner.owns = false;
    await expect(writer.write(event('b'))).rejects.toThrow(NotOwnerError);
    expect((await memory.last(stream))?.id).toBe('of the next');
  });
});
