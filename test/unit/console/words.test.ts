import { array, assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventParser } from '../../../console/api/event-parser.ts';
import { countdown, duration, stateName } from '../../../console/parts/words.ts';

describe('the words of the console', () => {
  it('[CO4] a countdown shows each second, and ends at nothing', () => {
    expect([179_001, 60_000, 59_999, 1, 0, -5_000, 3_723_000].map(countdown)).toEqual([
      '3:00',
      '1:00',
      '1:00',
      '0:01',
      '0:00',
      '0:00',
      '1:02:03',
    ]);
  });

  it('[CO4] a duration has its largest unit', () => {
    const ms = [-1, 0, 59_999, 60_000, 3_599_999, 7_200_000, 86_400_000];
    expect(ms.map(duration)).toEqual(['0 s', '0 s', '59 s', '1 min', '59 min', '2 h', '1 d']);
  });

  it('[CO4] a state that is new is named as the chart has it', () => {
    expect([stateName('qrPending'), stateName('paused')]).toEqual(['QR pending', 'paused']);
  });
});

describe('the console’s reading of server-sent events', () => {
  it('[AD3] does not mind where the stream is cut', () => {
    const text =
      'retry: 2000\n\nid: 1\nevent: A\ndata: {"a":1}\n\n: still here\n\nid: 2\nevent: B\ndata: {"b":"x y"}\n\n';
    const expected = [
      { id: '1', data: '{"a":1}' },
      { id: '2', data: '{"b":"x y"}' },
    ];
    for (let cut = 0; cut <= text.length; cut++) {
      const parse = eventParser();
      expect([...parse(text.slice(0, cut)), ...parse(text.slice(cut))]).toEqual(expected);
    }
  });

  it('[AD3] gives every event once, letter by letter too', () => {
    assert(
      property(array(string({ unit: 'grapheme' }).map((value) => JSON.stringify(value))), (values) => {
        const parse = eventParser();
        const text = values.map((data, index) => `id: ${index}\nevent: E\ndata: ${data}\n\n`).join('');
        const found = Array.from(text).flatMap((letter) => parse(letter));
        expect(found).toEqual(values.map((data, index) => ({ id: String(index), data })));
      }),
    );
  });
});
