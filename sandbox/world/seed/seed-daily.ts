import { addDrawnPhoto, addProfilePhoto } from '../files/add-file.ts';
import { sampleMedia } from '../files/sample-media.ts';
import { type MessageDraft, placeMessage } from '../messages/send-message.ts';
import { channelPeer, peerKey } from '../state/peer.ts';
import type { World } from '../world.ts';

const id = 4001;
/** 2025-12-08 09:00:00 UTC. */
const founded = 1_765_184_400;
const hour = 3_600;
const total = 260;
const ann = 1001;
const captions = ['In the morning', 'At noon', 'In the evening', 'At night'];

/** Daily: Ann's public channel with 260 messages of every kind, including service messages and two albums. */
export function seedDaily(world: World): void {
  const photo = addProfilePhoto(world, 2, id, founded);
  world.tables.chats.put({
    kind: 'channel',
    id,
    title: 'Daily',
    about: 'Something every day.',
    username: 'daily',
    date: founded,
    dc: 2,
    photo: photo.id,
    members: {
      [ann]: { date: founded, role: 'creator' },
      1002: { date: founded + hour },
      1003: { date: founded + 2 * hour },
    },
  });
  for (let number = 1; number <= total; number += 1) {
    const draft = draftOf(world, number, photo.id);
    placeMessage(world, ann, channelPeer(id), {
      ...draft,
      date: founded + number * hour,
      views: 10 + ((number * 37) % 400),
    });
  }
  const pinned = world.tables.message(peerKey(channelPeer(id)), 5);
  if (pinned) world.tables.messages.put({ ...pinned, pinned: true });
  const chat = world.tables.chats.get(peerKey(channelPeer(id)));
  if (chat) world.tables.chats.put({ ...chat, pinned: 5 });
}

function draftOf(world: World, number: number, channelPhoto: number): MessageDraft {
  const date = founded + number * hour;
  const caption = number % 3 === 0 ? (captions[number % captions.length] as string) : '';
  if (number === 1) return { text: '', action: { _: 'messageActionChannelCreate', title: 'Daily' } };
  if (number === 6) return { text: '', action: { _: 'messageActionPinMessage' }, replyTo: 5 };
  if (number === 7) return { text: '', action: { _: 'messageActionChatEditTitle', title: 'Daily' } };
  if (number === 8) return { text: '', action: photoChanged(channelPhoto) };
  if (number >= 40 && number < 43)
    return {
      ...picture(world, number, date),
      groupedId: '1300000000000000040',
      text: number === 40 ? 'An album of three' : '',
    };
  if (number >= 130 && number < 134)
    return { ...picture(world, number, date), groupedId: '1300000000000000130', text: '' };
  if (number === 200) {
    const file = addDrawnPhoto(world, { dc: 2, seed: number, width: 3000, height: 2000, date });
    return { text: 'A large one', media: { kind: 'photo', file: file.id } };
  }
  if (number === 210) {
    const options = { dc: 4, date, seed: number, sample: 'long.mp4', width: 640, height: 360, duration: 30 } as const;
    return { text: 'A long one', media: sampleMedia(world, 'video', options) };
  }
  switch (number % 13) {
    case 1:
      return { ...picture(world, number, date), text: caption };
    case 2:
      return { text: caption, media: sampleMedia(world, 'video', { dc: 2, date, seed: number }) };
    case 3:
      return { text: caption, media: sampleMedia(world, 'document', { dc: 2, date, seed: number }) };
    case 4:
      return {
        text: '',
        media: sampleMedia(world, number % 2 ? 'sticker' : 'animatedSticker', { dc: 2, date, seed: number }),
      };
    case 5:
      return { text: '', media: sampleMedia(world, 'poll', { dc: 2, date, seed: number }) };
    case 6:
      return {
        text: caption,
        media: sampleMedia(world, number % 2 ? 'audio' : 'voice', { dc: 2, date, seed: number }),
      };
    case 7:
      return { text: '', media: sampleMedia(world, number % 2 ? 'gif' : 'round', { dc: 2, date, seed: number }) };
    case 8:
      return {
        text: 'Read this: https://example.com/today',
        entities: [{ _: 'messageEntityUrl', offset: 11, length: 25 }],
        media: sampleMedia(world, 'webpage', { dc: 2, date, seed: number }),
      };
    case 9:
      return {
        text: '',
        media: sampleMedia(world, (['location', 'venue', 'contact', 'dice'] as const)[number % 4] ?? 'dice', {
          dc: 2,
          date,
          seed: number,
        }),
      };
    default:
      return {
        text: `Day ${Math.ceil(number / 24)}, note ${number}`,
        entities: [{ _: 'messageEntityBold', offset: 0, length: 3 }],
      };
  }
}

function picture(world: World, number: number, date: number): MessageDraft {
  const [width, height] = number % 2 ? [1280, 960] : [900, 1200];
  const file = addDrawnPhoto(world, { dc: 2, seed: number, width, height, date });
  return { text: '', media: { kind: 'photo', file: file.id } };
}

/** Names only the file: the TL photo is made for each viewer. */
function photoChanged(fileId: number): { _: string; photo: { _: string; id: bigint } } {
  return { _: 'messageActionChatEditPhoto', photo: { _: 'photoEmpty', id: BigInt(fileId) } };
}
