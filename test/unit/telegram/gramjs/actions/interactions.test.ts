import bigInt from 'big-integer';
import { Api } from 'telegram';
import { describe, expect, it } from 'vitest';
import { areChosen, buttonAt } from '../../../../../src/telegram/gramjs/actions/interactions.ts';

const text = 'Press';
const url = 'https://example.com/';
const data = Buffer.from('data');
const inline = (...rows: Api.TypeKeyboardButton[][]): Api.ReplyInlineMarkup =>
  new Api.ReplyInlineMarkup({ rows: rows.map((buttons) => new Api.KeyboardButtonRow({ buttons })) });
const callback = new Api.KeyboardButtonCallback({ text, data });

describe('[MX4.1] the button at a place', () => {
  it.each<[string, Api.TypeKeyboardButton, object]>([
    ['a callback', callback, { kind: 'callback', data }],
    ['a link', new Api.KeyboardButtonUrl({ text, url }), { kind: 'url', url }],
    ['a password', new Api.KeyboardButtonCallback({ text, data, requiresPassword: true }), { kind: 'other' }],
    ['a login', new Api.KeyboardButtonUrlAuth({ text, url, buttonId: 1 }), { kind: 'other' }],
    ['a payment', new Api.KeyboardButtonBuy({ text }), { kind: 'other' }],
    ['a web app', new Api.KeyboardButtonWebView({ text, url }), { kind: 'other' }],
    ['a game', new Api.KeyboardButtonGame({ text }), { kind: 'other' }],
  ])('%s', (_name, button, found) => {
    const markup = inline([callback], [callback, button]);
    expect(buttonAt(markup, { row: 1, column: 1 })).toEqual(found);
    expect(buttonAt(markup, { row: 0, column: 1 })).toBeUndefined();
    expect(buttonAt(markup, { row: 2, column: 0 })).toBeUndefined();
  });

  it('none without an inline keyboard', () => {
    const rows = [new Api.KeyboardButtonRow({ buttons: [new Api.KeyboardButton({ text })] })];
    const place = { row: 0, column: 0 };
    expect(buttonAt(new Api.ReplyKeyboardMarkup({ rows }), place)).toBeUndefined();
    expect(buttonAt(undefined, place)).toBeUndefined();
  });
});

describe('[MX4.4] whether these options are chosen', () => {
  const option = (place: number): Buffer => Buffer.from([place]);
  const poll = (...chosen: boolean[]): Api.MessageMediaPoll => {
    const results = chosen.map(
      (isChosen, place) =>
        new Api.PollAnswerVoters({ option: option(place), voters: 1, ...(isChosen && { chosen: true }) }),
    );
    const question = new Api.TextWithEntities({ text: '?', entities: [] });
    return new Api.MessageMediaPoll({
      poll: new Api.Poll({ id: bigInt(1), question, answers: [] }),
      results: new Api.PollResults({ results }),
    });
  };

  it.each<[Api.MessageMediaPoll | undefined, number[], boolean]>([
    [poll(false, true, false), [1], true],
    [poll(true, true, false), [1, 0], true],
    [poll(true, true, false), [1, 1], false],
    [poll(false, true, false), [2], false],
    [poll(false, true, true), [1], false],
    [poll(false, true, false), [1, 2], false],
    [poll(false, false), [], true],
    [poll(true, false), [], false],
    [undefined, [1], false],
  ])('%#', (media, places, expected) => {
    expect(areChosen(media, places.map(option))).toBe(expected);
  });
});
