import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import { readParams } from '../../../../../src/telegram/gramjs/raw/read-params.ts';
import { methodOf } from '../../../../../src/telegram/gramjs/raw/schema.ts';
import type { KnownPeer } from '../../../../../src/telegram/peer-cache.ts';
import { WrongParametersError } from '../../../../../src/telegram/port/raw.ts';

/** Parameters as JSON become GramJS's requests; what does not fit is named. */

const peers: KnownPeer[] = [
  { kind: 'user', id: '1002', hash: '-77' },
  { kind: 'user', id: '777000', hash: '5' },
  { kind: 'group', id: '-2001' },
  { kind: 'channel', id: '-1004001', hash: '99' },
];

async function read(method: string, params: unknown): Promise<Api.AnyRequest> {
  const definition = methodOf(method);
  if (definition === undefined) throw new Error(`no ${method}`);
  const request = await readParams(definition, params, {
    peerOf: (id) => Promise.resolve(peers.find((peer) => peer.id === id)),
    randomId: () => 7n,
  });
  return request as Api.AnyRequest;
}

async function failuresOf(method: string, params: unknown): Promise<readonly string[]> {
  const error: unknown = await read(method, params).catch((reason: unknown) => reason);
  if (!(error instanceof WrongParametersError)) throw new Error('it was accepted', { cause: error });
  return error.failures;
}

const user = new Api.InputPeerUser({ userId: bigInt(1002), accessHash: bigInt(-77) });

describe('readParams', () => {
  const equal: [string, string, unknown, Api.AnyRequest][] = [
    ['nothing', 'help.getNearestDc', undefined, new Api.help.GetNearestDc()],
    [
      "Telegram's own account",
      'messages.readHistory',
      { peer: '777000', max_id: 0 },
      new Api.messages.ReadHistory({
        peer: new Api.InputPeerUser({ userId: bigInt(777000), accessHash: bigInt(5) }),
        maxId: 0,
      }),
    ],
    [
      'a button without a password',
      'messages.getBotCallbackAnswer',
      { peer: '1002', msg_id: 4, data: 'AQI=' },
      new Api.messages.GetBotCallbackAnswer({ peer: user, msgId: 4, data: Buffer.of(1, 2) }),
    ],
    [
      'texts, flags and an object',
      'messages.sendMessage',
      {
        peer: '1002',
        message: 'ho',
        silent: true,
        noforwards: false,
        random_id: '-9007199254740993',
        reply_to: { _: 'inputReplyToMessage', reply_to_msg_id: 4 },
        entities: [{ _: 'messageEntityTextUrl', offset: 0, length: 2, url: 'https://a.example' }],
      },
      new Api.messages.SendMessage({
        peer: user,
        message: 'ho',
        silent: true,
        randomId: bigInt('-9007199254740993'),
        replyTo: new Api.InputReplyToMessage({ replyToMsgId: 4 }),
        entities: [new Api.MessageEntityTextUrl({ offset: 0, length: 2, url: 'https://a.example' })],
      }),
    ],
    [
      'bytes',
      'upload.saveFilePart',
      { file_id: '5', file_part: 0, bytes: Buffer.from([0, 255, 128]).toString('base64') },
      new Api.upload.SaveFilePart({ fileId: bigInt(5), filePart: 0, bytes: Buffer.from([0, 255, 128]) }),
    ],
    [
      'doubles',
      'contacts.getLocated',
      { geo_point: { _: 'inputGeoPoint', lat: 52.5, long: -13 } },
      new Api.contacts.GetLocated({ geoPoint: new Api.InputGeoPoint({ lat: 52.5, long: -13 }) }),
    ],
    [
      'a Bool that is false and optional',
      'account.updateNotifySettings',
      {
        peer: { _: 'inputNotifyPeer', peer: '-2001' },
        settings: { _: 'inputPeerNotifySettings', silent: false, mute_until: 0 },
      },
      new Api.account.UpdateNotifySettings({
        peer: new Api.InputNotifyPeer({ peer: new Api.InputPeerChat({ chatId: bigInt(2001) }) }),
        settings: new Api.InputPeerNotifySettings({ silent: false, muteUntil: 0 }),
      }),
    ],
    [
      'lists of users, and a channel',
      'channels.inviteToChannel',
      { channel: '-1004001', users: ['1002', { _: 'inputUserSelf' }] },
      new Api.channels.InviteToChannel({
        channel: new Api.InputChannel({ channelId: bigInt(4001), accessHash: bigInt(99) }),
        users: [new Api.InputUser({ userId: bigInt(1002), accessHash: bigInt(-77) }), new Api.InputUserSelf()],
      }),
    ],
    [
      'as many random numbers as messages',
      'messages.forwardMessages',
      { from_peer: '1002', id: [4, 5], to_peer: { _: 'inputPeerSelf' } },
      new Api.messages.ForwardMessages({
        fromPeer: user,
        id: [4, 5],
        toPeer: new Api.InputPeerSelf(),
        randomId: [bigInt(7), bigInt(7)],
      }),
    ],
    [
      'nulls, which are missing',
      'users.getFullUser',
      { id: { _: 'inputUserSelf' }, extra: undefined },
      new Api.users.GetFullUser({ id: new Api.InputUserSelf() }),
    ],
  ];

  it.each(equal)('[RM1.1] [RM1.2] %s: the same bytes as of GramJS', async (_what, method, params, expected) => {
    const given = Object.fromEntries(Object.entries(Object(params) as object).filter(([name]) => name !== 'extra'));
    const request = await read(method, params === undefined ? undefined : given);
    expect(request.className).toBe(expected.className);
    expect(request.getBytes().toString('hex')).toBe(expected.getBytes().toString('hex'));
  });

  const file = { _: 'inputFile', id: '5', parts: 1, name: 'a', md5_checksum: '' };
  const media = (more: object): object => ({
    peer: '1002',
    message: '',
    media: { _: 'inputMediaUploadedPhoto', file: { ...file, ...more } },
  });
  it.each<[string, unknown, string[]]>([
    ['messages.sendMedia', media({ parts: 1.5 }), ['params.media.file.parts must be an integer']],
    ['messages.sendMedia', media({ parts: '1' }), ['params.media.file.parts must be an integer']],
    [
      'messages.sendMedia',
      media({ parts: 2 ** 31 }),
      ['params.media.file.parts must be between -2147483648 and 2147483647'],
    ],
    ['messages.sendMedia', media({ id: 5 }), ['params.media.file.id must be a 64-bit integer in a string']],
    [
      'messages.sendMedia',
      media({ id: '9223372036854775808' }),
      ['params.media.file.id must be a 64-bit integer in a string'],
    ],
    [
      'messages.sendMedia',
      media({ name: 5, md5_checksum: null }),
      ['params.media.file.name must be a string', 'params.media.file.md5_checksum should not be empty'],
    ],
    [
      'messages.sendMedia',
      media({ size: 5 }),
      ['params.media.file.size should not exist: inputFile has no such field'],
    ],
    [
      'messages.sendMedia',
      media({ _: 'inputPhoto' }),
      ['params.media.file._ must be one of the following values: inputFile, inputFileBig, inputFileStoryDocument'],
    ],
    [
      'messages.sendMedia',
      media({ _: '' }),
      ['params.media.file._ must be one of the following values: inputFile, inputFileBig, inputFileStoryDocument'],
    ],
    [
      'messages.sendMedia',
      { ...media({}), media: { _: 'inputMediaEmpty', file }, silent: 1 },
      ['params.silent must be a boolean', 'params.media.file should not exist: inputMediaEmpty has no such field'],
    ],
    ['messages.sendMedia', { ...media({}), media: 'a photo' }, ['params.media must be an object']],
    ['messages.sendMedia', { ...media({}), media: {} }, ['params.media._ should not be empty']],
    [
      'messages.sendMedia',
      {},
      ['params.peer should not be empty', 'params.media should not be empty', 'params.message should not be empty'],
    ],
    ['messages.sendMessage', { peer: '1003', message: 'a' }, ['params.peer must be a known chat']],
    ['users.getFullUser', { id: '42777' }, ['params.id must be a known chat']],
    ...['777000', '42777', { _: 'inputPeerUser', user_id: '0777000', access_hash: '1' }].map(
      (quoted): [string, object, string[]] => [
        'messages.sendMessage',
        {
          peer: '1002',
          message: 'a',
          reply_to: { _: 'inputReplyToMessage', reply_to_msg_id: 4, reply_to_peer_id: quoted },
        },
        ["params.reply_to.reply_to_peer_id must not be a chat of Telegram's own accounts"],
      ],
    ),
    [
      'messages.getBotCallbackAnswer',
      { peer: '1002', msg_id: 4, password: { _: 'inputCheckPasswordEmpty' } },
      ['params.password is refused'],
    ],
    ['channels.getFullChannel', { channel: '-2001' }, ['params.channel must be the ID of a supergroup or channel']],
    ['channels.getFullChannel', { channel: '1002' }, ['params.channel must be the ID of a supergroup or channel']],
    ['users.getFullUser', { id: '-2001' }, ['params.id must be a user ID']],
    ['users.getUsers', { id: '1002' }, ['params.id must be an array']],
    ['users.getUsers', { id: ['1002', 5] }, ['params.id.1 must be an object']],
    [
      'contacts.getLocated',
      { geo_point: { _: 'inputGeoPoint', lat: '1', long: 2 } },
      ['params.geo_point.lat must be a number'],
    ],
    ['upload.saveFilePart', { file_id: '5', file_part: 0, bytes: 'a' }, ['params.bytes must be base64']],
    ['account.updateStatus', { offline: 'yes' }, ['params.offline must be a boolean']],
    ['help.getNearestDc', { flags: 3 }, ['params.flags should not exist: help.getNearestDc has no such field']],
    ['help.getNearestDc', { _: 'help.getConfig' }, ['params._ must be help.getNearestDc']],
    ['help.getNearestDc', [], ['params must be an object']],
    ['bots.setBotInfo', { lang_code: 'en', bot: '1002', about: 5 }, ['params.about must be a string']],
  ])('[RM1.3] [RM1.2] %s %j', async (method, params, failures) => {
    expect(await failuresOf(method, params)).toEqual(failures);
  });

  it('[RM1.3] fields that share a bit are there together', async () => {
    const solution = {
      _: 'inputMediaPoll',
      poll: { _: 'poll', id: '1', question: { _: 'textWithEntities', text: 'a', entities: [] }, answers: [] },
      solution: 'b',
    };
    expect(await failuresOf('messages.uploadMedia', { peer: '1002', media: solution })).toEqual([
      'params.media.solution_entities should not be empty',
    ]);
  });

  it('[RM1.3] what is nested without end', async () => {
    let value: object = { _: 'jsonNull' };
    for (let depth = 0; depth < 5_000; depth += 1) value = { _: 'jsonArray', value: [value] };
    const failures = await failuresOf('help.saveAppLog', {
      events: [{ _: 'inputAppEvent', time: 1, type: 'a', peer: '1', data: value }],
    });
    expect(failures[0]).toMatch(/^params\.events\.0\.data\..* is nested too deeply$/);
  });
});
