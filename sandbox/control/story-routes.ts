import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { pushStory } from '../api/push/push-story.ts';
import type { TlObject } from '../rpc.ts';
import { normalizeText } from '../world/messages/rich-text.ts';
import { redactedJson } from '../world/redact.ts';
import type { StoryRow } from '../world/state/rows.ts';
import { postStory, storiesOf } from '../world/stories.ts';
import type { World } from '../world/world.ts';
import type { ControlApp, ControlDeps } from './control-app.ts';
import { ControlError } from './control-error.ts';
import { describeMedia } from './describe-media.ts';
import { Media, makeMedia } from './make-media.ts';
import { fileResponse } from './media-routes.ts';
import { resolveAccount } from './resolve-peer.ts';

/** The stories of an account, expired ones too, and new ones from its phone, for its contacts. */
export function storyRoutes(app: ControlApp, { world }: ControlDeps): void {
  const UserId = Type.Object({ userId: Type.String() });
  app.get('/accounts/:userId/stories', { schema: { params: UserId } }, async ({ params }) =>
    storiesOf(world, resolveAccount(world, params.userId).id)
      .toReversed()
      .map((story) => describeStory(world, story)),
  );

  const NewStory = Type.Object({ media: Media, caption: Type.Optional(Type.String({ maxLength: 2_048 })) });
  app.post('/accounts/:userId/stories', { schema: { params: UserId, body: NewStory } }, async ({ params, body }) => {
    const user = resolveAccount(world, params.userId);
    if (body.media.kind !== 'photo' && body.media.kind !== 'video') {
      throw new ControlError(400, 'media.kind must be photo or video');
    }
    const story = postStory(world, user, {
      ...normalizeText(body.caption ?? '', [], () => 0n),
      media: await makeMedia(world, user.dc, body.media),
      privacy: [{ _: 'privacyValueAllowContacts' }],
      period: undefined,
      randomId: randomBytes(8).readBigInt64LE(),
      sentBy: '',
      pinned: false,
      noforwards: false,
    });
    pushStory(world, story);
    return { storyId: story.id };
  });

  const Story = Type.Object({ userId: Type.String(), storyId: Type.Integer({ minimum: 1 }) });
  const FileQuery = Type.Object({ size: Type.Optional(Type.String({ maxLength: 16 })) });
  app.get(
    '/accounts/:userId/stories/:storyId/file',
    { schema: { params: Story, querystring: FileQuery } },
    async ({ params, query }, reply) => {
      const story = world.tables.stories.get(`${resolveAccount(world, params.userId).id}/${params.storyId}`);
      if (!story) throw new ControlError(404, 'story not found');
      return reply.send(fileResponse(world, story.media, query.size));
    },
  );
}

function describeStory(world: World, story: StoryRow) {
  const { id, date, expires, caption, entities, pinned = false, noforwards = false } = story;
  return {
    id,
    date: new Date(date * 1000).toISOString(),
    expires: new Date(expires * 1000).toISOString(),
    expired: expires <= world.now(),
    caption,
    entities: entities.map((entity) => redactedJson(entity)),
    media: describeMedia(world, story.media, true),
    privacy: privacyOf(story.privacy),
    rules: story.privacy.map((rule) => redactedJson(rule)),
    pinned,
    noforwards,
  };
}

/** `contacts`, `everyone`, `close_friends` or `selected`. */
function privacyOf(rules: readonly TlObject[]): string {
  const names = new Set(rules.map(({ _: name }) => name));
  if (names.has('privacyValueAllowAll')) return 'everyone';
  if (names.has('privacyValueAllowContacts')) return 'contacts';
  return names.has('privacyValueAllowCloseFriends') ? 'close_friends' : 'selected';
}
