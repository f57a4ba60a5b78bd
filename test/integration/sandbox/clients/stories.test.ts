import type { TelegramClient } from '@mtcute/node';
import sharp from 'sharp';
import telegram from 'telegram';
import uploads from 'telegram/client/uploads.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuthKey, TlObject } from '../../../../sandbox/rpc.ts';
import { accessHash } from '../../../../sandbox/world/access-hash.ts';
import { control, openSandbox } from '../../../support/sandbox/control-client.ts';
import { loggedInGramJs } from '../../../support/sandbox/gramjs-login.ts';
import { openWorldFixture, type WorldFixture } from '../../../support/sandbox/world-fixture.ts';
import { mtcuteClient } from '../../../support/telegram-clients/mtcute.ts';

const { Api } = telegram;
const rejected = (text: string, code = 400) => ({ code, text });
const jpeg = await sharp({ create: { width: 720, height: 1280, channels: 3, background: '#c63' } })
  .jpeg()
  .toBuffer();

let fixture: WorldFixture;
let ann: AuthKey;
beforeEach(async () => {
  fixture = await openWorldFixture();
  ann = await fixture.logIn(1001);
});

const self = { _: 'inputPeerSelf' };
let lastId = 0n;
async function post(more: Record<string, unknown> = {}, key = ann): Promise<TlObject> {
  lastId += 1n;
  await fixture.call(key, 'upload.saveFilePart', { file_id: lastId, file_part: 0, bytes: jpeg });
  const file = { _: 'inputFile', id: lastId, parts: 1, name: 'x.jpg', md5_checksum: '' };
  return fixture.call(key, 'stories.sendStory', {
    peer: self,
    media: { _: 'inputMediaUploadedPhoto', file },
    caption: 'look',
    privacy_rules: [{ _: 'inputPrivacyValueAllowContacts' }],
    random_id: lastId,
    ...more,
  });
}

describe('stories.sendStory', () => {
  it('answers with the ID of the story and the story', async () => {
    const answer = await post({ period: 21_600 });
    const date = fixture.world.now();
    expect(answer.updates).toMatchObject([
      { _: 'updateStoryID', id: 1, random_id: lastId },
      {
        _: 'updateStory',
        peer: { user_id: 1001n },
        story: { id: 1, caption: 'look', contacts: true, out: true, date, expire_date: date + 21_600 },
      },
    ]);
  });

  it('names the ID to the login that posted, also in its difference, but not to other logins', async () => {
    const date = fixture.world.now();
    await post();
    const differenceOf = async (key: AuthKey, since: number): Promise<unknown> => {
      const { pts, qts } = await fixture.call(key, 'updates.getState');
      return fixture.call(key, 'updates.getDifference', { pts, qts, date: since });
    };
    expect(await differenceOf(ann, date)).toMatchObject({
      _: 'updates.difference',
      other_updates: [{ _: 'updateStoryID', id: 1, random_id: lastId }],
    });
    expect(await differenceOf(ann, date + 1)).toMatchObject({ _: 'updates.differenceEmpty' });
    expect(await differenceOf(await fixture.logIn(1001), date)).toMatchObject({ _: 'updates.differenceEmpty' });
  });

  it.each([
    ['STORY_PERIOD_INVALID', { period: 3_600 }],
    ['PEER_ID_INVALID', { peer: { _: 'inputPeerChat', chat_id: 2001n } }],
    ['PRIVACY_VALUE_INVALID', { privacy_rules: [] }],
    ['MEDIA_CAPTION_TOO_LONG', { caption: 'x'.repeat(2_049) }],
    ['MEDIA_TYPE_INVALID', { media: { _: 'inputMediaGeoPoint', geo_point: { lat: 1, long: 1 } } }],
    ['MEDIA_EMPTY', { media: { _: 'inputMediaEmpty' } }],
  ])('is refused: %s', async (text, more) => {
    await expect(post(more)).rejects.toMatchObject(rejected(text));
  });

  it('limits users without premium to one day, and to three stories at a time', async () => {
    const cara = await fixture.logIn(1003);
    await expect(post({ period: 21_600 }, cara)).rejects.toMatchObject(rejected('PREMIUM_ACCOUNT_REQUIRED'));
    for (let left = 3; left > 0; left -= 1) {
      expect(await fixture.call({ ...cara, layer: 227 }, 'stories.canSendStory', { peer: self })).toEqual({
        _: 'stories.canSendStoryCount',
        count_remains: left,
      });
      await post({}, cara);
    }
    const asked = fixture.call(cara, 'stories.canSendStory', { peer: self });
    await expect(asked).rejects.toMatchObject(rejected('STORIES_TOO_MUCH'));
    await expect(post({}, cara)).rejects.toMatchObject(rejected('STORIES_TOO_MUCH'));
    fixture.clock.time += 86_400_000;
    expect(await fixture.call(cara, 'stories.canSendStory', { peer: self })).toBe(true);
  });

  it('is answered in one of three forms', async () => {
    const answers = [await post(), await post(), await post()];
    expect(answers.map(({ updates }) => updates.map(({ _: name }: { _: string }) => name))).toEqual([
      ['updateStoryID', 'updateStory'],
      ['updateStory'],
      ['updateStoryID'],
    ]);
  });

  it('is deduplicated by random_id', async () => {
    const both = await Promise.allSettled([post({ random_id: 7n }), post({ random_id: 7n })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(post({ random_id: 7n })).rejects.toMatchObject(rejected('RANDOM_ID_DUPLICATE', 500));
  });

  it('shows it to users whom its privacy rules allow, until it expires', async () => {
    const bob = await fixture.logIn(1003);
    const peer = { _: 'inputPeerUser', user_id: 1001n, access_hash: accessHash(fixture.world, 1003, 'user', 1001) };
    const seen = async () => (await fixture.call(bob, 'stories.getPeerStories', { peer })).stories.stories.length;
    await post();
    expect(await seen()).toBe(0);
    await post({ privacy_rules: [{ _: 'inputPrivacyValueAllowAll' }] });
    expect(await seen()).toBe(1);
    fixture.clock.time += 86_400_000;
    expect(await seen()).toBe(0);
  });
});

describe('unmodified clients', () => {
  it('post stories, and the control API shows them', async () => {
    const { sandbox, defects } = await openSandbox();
    const gramJs = await loggedInGramJs(sandbox, 1001);
    expect(await gramJs.invoke(new Api.stories.CanSendStory({ peer: new Api.InputPeerSelf() }))).toBe(true);
    const file = await gramJs.uploadFile({ file: new uploads.CustomFile('a.jpg', jpeg.length, '', jpeg), workers: 1 });
    await gramJs.invoke(
      new Api.stories.SendStory({
        peer: new Api.InputPeerSelf(),
        media: new Api.InputMediaUploadedPhoto({ file }),
        caption: 'from GramJS',
        privacyRules: [new Api.InputPrivacyValueAllowCloseFriends()],
        period: 172_800,
      }),
    );
    const mtcute: TelegramClient = await mtcuteClient(sandbox.protocol);
    await mtcute.signInQr({
      onUrlUpdated: (link) => void control(sandbox, 'POST', '/qr/scan', { link, userId: 1001 }),
    });
    expect(await mtcute.canSendStory('me')).toBe(true);
    await mtcute.sendStory({
      peer: 'me',
      media: { type: 'photo', file: jpeg },
      caption: 'from mtcute',
      privacyRules: [{ _: 'inputPrivacyValueAllowAll' }],
    });
    const { body } = await control(sandbox, 'GET', '/accounts/1001/stories');
    expect(body).toMatchObject([
      { id: 2, caption: 'from mtcute', privacy: 'everyone', media: { kind: 'photo', width: 720 } },
      { id: 1, caption: 'from GramJS', privacy: 'close_friends', media: { kind: 'photo', size: jpeg.length } },
    ]);
    expect(Date.parse(body[1].expires) - Date.parse(body[1].date)).toBe(172_800_000);
    const answer = await fetch(`${sandbox.url}/accounts/1001/stories/1/file`);
    expect(Buffer.from(await answer.arrayBuffer()).equals(jpeg)).toBe(true);
    await Promise.all([gramJs.destroy(), mtcute.destroy()]);
    await sandbox.close();
    expect(defects).toEqual([]);
  });
});
