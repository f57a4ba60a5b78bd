import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { World } from '../../../../sandbox/world/world.ts';
import { caraId, makersId, openMessageScene } from '../../../support/sandbox/message-scene.ts';
import { openWorldFixture } from '../../../support/sandbox/world-fixture.ts';

const tablesOf = ({ tables }: World) =>
  [tables.reactions, tables.polls, tables.scheduled, tables.events, tables.dialogs, tables.messages].map((table) => [
    ...table.values(),
  ]);

it('[SM10.2] reactions, pins, polls, queues, settings and missed updates are there after a kill', async () => {
  const root = mkdtempSync(join(tmpdir(), 'sandbox-messages-'));
  const folder = join(root, 'data');
  const scene = await openMessageScene({ folder });
  const makers = scene.channel(scene.ann, makersId);
  const text = (words: string) => ({ _: 'textWithEntities', text: words, entities: [] });
  const answers = ['Yes', 'No'].map((words, index) => ({ text: text(words), option: Buffer.from(String(index)) }));
  await scene.call(scene.ann, 'messages.sendMedia', {
    peer: makers,
    media: { _: 'inputMediaPoll', poll: { _: 'poll', question: text('Tea?'), answers } },
    message: '',
    random_id: scene.nextRandomId(),
  });
  const [poll] = await scene.history(scene.ann, makers, 1);
  const peer = scene.channel(scene.cara, makersId);
  await scene.call(scene.cara, 'messages.sendVote', { peer, msg_id: poll?.['id'], options: [Buffer.from('1')] });
  const reaction = [{ _: 'reactionEmoji', emoticon: '👍' }];
  await scene.call(scene.cara, 'messages.sendReaction', { peer, msg_id: poll?.['id'], reaction });
  const toCara = scene.user(scene.ann, caraId);
  const id = await scene.send(scene.ann, toCara, 'pin me');
  await scene.call(scene.ann, 'messages.updatePinnedMessage', { peer: toCara, id });
  await scene.send(scene.ann, toCara, 'later', { schedule_date: scene.world.now() + 3_600 });
  const dialog = { _: 'inputDialogPeer', peer: toCara };
  await scene.call(scene.ann, 'messages.toggleDialogPin', { peer: dialog, pinned: true });
  // A killed process writes nothing more: what it has answered is in the folder.
  cpSync(folder, join(root, 'killed'), { recursive: true });
  const { world } = await openWorldFixture({ folder: join(root, 'killed') });
  expect(tablesOf(world)).toEqual(tablesOf(scene.world));
  rmSync(root, { recursive: true, force: true });
});
