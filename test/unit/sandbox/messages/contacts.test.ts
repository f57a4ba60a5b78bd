import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuthKey, TlObject } from '../../../../sandbox/rpc.ts';
import {
  annId,
  caraId,
  dailyId,
  type MessageScene,
  openMessageScene,
  refusedWith,
} from '../../../support/sandbox/message-scene.ts';

let scene: MessageScene;
let second: AuthKey;
beforeEach(async () => {
  scene = await openMessageScene();
  second = await scene.logIn(annId);
  scene.pushed.length = 0;
});

const cara = () => ({ ...scene.user(scene.ann, caraId), _: 'inputUser' });
const add = (first_name: string, id: TlObject = cara()) =>
  scene.call(scene.ann, 'contacts.addContact', { id, first_name, last_name: 'of work', phone: '' });
const nameOfCara = async (key: AuthKey) => {
  const own = key === scene.cara;
  const id = own ? { _: 'inputUserSelf' } : cara();
  const [user] = (await scene.call(key, 'users.getUsers', { id: [id] })) as unknown as TlObject[];
  return [user?.['first_name'], user?.['last_name']];
};

describe('contacts', () => {
  it('[SM11.1] have the names under which they are saved, for their owner only', async () => {
    const { updates, users } = await add('Carina');
    expect(updates).toMatchObject([{ _: 'updatePeerSettings', settings: { share_contact: true } }]);
    expect(users[0]).toMatchObject({ first_name: 'Carina', last_name: 'of work', contact: true });
    expect(scene.pushedTo(second)).toMatchObject([{ _: 'updatePeerSettings' }]);
    expect(await nameOfCara(scene.ann)).toEqual(['Carina', 'of work']);
    expect(await nameOfCara(scene.cara)).toEqual(['Cara', undefined]);
    await scene.call(scene.ann, 'contacts.deleteContacts', { id: [cara()] });
    expect(await nameOfCara(scene.ann)).toEqual(['Cara', undefined]);
    const { contacts } = await scene.call(scene.ann, 'contacts.getContacts', { hash: 0n });
    expect(contacts.map(({ user_id }: TlObject) => user_id)).toEqual([1002n]);
  });

  it('[SM11.1] are imported by their numbers, under the given names', async () => {
    const contact = {
      _: 'inputPhoneContact',
      client_id: 7n,
      phone: '+1 555 000 0002',
      first_name: 'Bobby',
      last_name: '',
    };
    const unknown = { ...contact, client_id: 8n, phone: '+1 555 999 9999' };
    const answer = await scene.call(scene.ann, 'contacts.importContacts', { contacts: [contact, unknown] });
    expect(answer['imported']).toMatchObject([{ user_id: 1002n, client_id: 7n }]);
    expect(answer['users'][0]).toMatchObject({ first_name: 'Bobby', last_name: undefined });
  });

  it('[SM11.1] are not sent again to a client that has them', async () => {
    // As https://core.telegram.org/api/offsets computes it for one contact: its count, then its ID.
    let hash = 1n;
    hash ^= hash >> 21n;
    hash ^= hash << 35n;
    hash ^= hash >> 4n;
    hash += 1002n;
    const answer = await scene.call(scene.ann, 'contacts.getContacts', { hash });
    expect(answer).toEqual({ _: 'contacts.contactsNotModified' });
  });

  it('[SM11.1] are refused without a name, and oneself', async () => {
    await expect(add(' ')).rejects.toMatchObject(refusedWith('CONTACT_NAME_EMPTY'));
    await expect(add('Me', { _: 'inputUserSelf' })).rejects.toMatchObject(refusedWith('CONTACT_ID_INVALID'));
  });
});

describe('what clients ask of peers and files', () => {
  it('[SM11.2] is what to offer above a chat, and the latest story', async () => {
    const peer = scene.user(scene.ann, caraId);
    const { settings } = await scene.call(scene.ann, 'messages.getPeerSettings', { peer });
    expect(settings).toMatchObject({ add_contact: true, block_contact: true });
    const latestIn = (layer: number) =>
      scene.service.call({
        method: 'stories.getPeerMaxIDs',
        params: { _: 'stories.getPeerMaxIDs', id: [peer] },
        key: scene.ann,
        dc: 2,
        layer,
        sessionId: 1n,
      });
    expect(await latestIn(198)).toEqual([0]);
    expect(await latestIn(227)).toEqual([{ _: 'recentStory', max_id: undefined }]);
  });

  it('[SM11.3] is the set of a sticker, by its ID and by its name', async () => {
    const posts = await scene.history(scene.ann, scene.channel(scene.ann, dailyId), 60);
    const sticker = posts.find(({ media }) => media?.document?.mime_type === 'image/webp')?.['media'].document;
    const { stickerset } = sticker.attributes.find(({ _: name }: TlObject) => name === 'documentAttributeSticker');
    const set = await scene.call(scene.ann, 'messages.getStickerSet', { stickerset, hash: 0 });
    expect(set['documents'].map(({ id }: TlObject) => id)).toContain(sticker.id);
    const named = { _: 'inputStickerSetShortName', short_name: set['set'].short_name };
    const again = await scene.call(scene.ann, 'messages.getStickerSet', { stickerset: named, hash: set['set'].hash });
    expect(again).toEqual({ _: 'messages.stickerSetNotModified' });
    const unknown = { _: 'inputStickerSetShortName', short_name: 'nothing' };
    const attempt = scene.call(scene.ann, 'messages.getStickerSet', { stickerset: unknown, hash: 0 });
    await expect(attempt).rejects.toMatchObject(refusedWith('STICKERSET_INVALID', 406));
  });

  it('[SM11.3] is the hash of each 128 KB of a file', async () => {
    const posts = await scene.history(scene.ann, scene.channel(scene.ann, dailyId), 60);
    const video = posts.find(({ media }) => media?.video) as TlObject;
    const { id, access_hash, file_reference, size } = video['media'].document;
    const location = { _: 'inputDocumentFileLocation', id, access_hash, file_reference, thumb_size: '' };
    const hashes = (await scene.call(scene.ann, 'upload.getFileHashes', {
      location,
      offset: 0n,
    })) as unknown as TlObject[];
    expect(hashes.reduce((sum, { limit }) => sum + limit, 0)).toBe(Number(size));
    const { bytes } = await scene.call(scene.ann, 'upload.getFile', { location, offset: 0n, limit: 131_072 });
    expect(hashes[0]?.['hash']).toEqual(createHash('sha256').update(bytes.subarray(0, 131_072)).digest());
  });
});
