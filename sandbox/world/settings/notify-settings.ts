import type { TlObject } from '../../rpc.ts';
import { dialogOf } from '../dialogs.ts';
import type { PeerRef } from '../state/peer.ts';
import type { World } from '../world.ts';

/** Whose notifications: one chat's, a topic's, or those of all chats of a kind. */
export type NotifyScope = { peer: PeerRef; topic?: number } | 'users' | 'chats' | 'broadcasts';

/** The settings of a scope as a TL `PeerNotifySettings`; without fields of its own, those of its kind count. */
export function notifySettings(world: World, owner: number, scope: NotifyScope): TlObject {
  const none = { _: 'peerNotifySettings' };
  if (typeof scope === 'string') return world.tables.users.get(owner)?.notify?.[scope] ?? none;
  const dialog = dialogOf(world, owner, scope.peer);
  return (scope.topic === undefined ? dialog.notify : dialog.topicNotify?.[String(scope.topic)]) ?? none;
}

/** Changes the fields of a TL `InputPeerNotifySettings` that are there; the others stay. */
export function changeNotifySettings(world: World, owner: number, scope: NotifyScope, input: TlObject): TlObject {
  const { _: _name, sound, stories_sound, ...plain } = input;
  const changes: Record<string, unknown> = { ...plain };
  for (const system of ['ios', 'android', 'other']) {
    if (sound) changes[`${system}_sound`] = sound;
    if (stories_sound) changes[`stories_${system}_sound`] = stories_sound;
  }
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const settings: TlObject = { ...notifySettings(world, owner, scope), ...Object.fromEntries(given) };
  putSettings(world, owner, scope, settings);
  return settings;
}

function putSettings(world: World, owner: number, scope: NotifyScope, settings: TlObject): void {
  if (typeof scope === 'string') {
    const user = world.tables.users.get(owner);
    if (user) world.tables.users.put({ ...user, notify: { ...user.notify, [scope]: settings } });
    return;
  }
  const dialog = dialogOf(world, owner, scope.peer);
  const own =
    scope.topic === undefined
      ? { notify: settings }
      : { topicNotify: { ...dialog.topicNotify, [String(scope.topic)]: settings } };
  world.tables.dialogs.put({ ...dialog, ...own });
}

/** Forgets all settings of an account. */
export function resetNotifySettings(world: World, owner: number): void {
  const user = world.tables.users.get(owner);
  if (user?.notify) {
    const { notify: _notify, ...rest } = user;
    world.tables.users.put(rest);
  }
  for (const row of world.tables.dialogs.values()) {
    if (row.owner !== owner || (!row.notify && !row.topicNotify)) continue;
    const { notify: _own, topicNotify: _topics, ...rest } = row;
    world.tables.dialogs.put(rest);
  }
}

/** The chats with settings of their own. */
export function notifyExceptions(world: World, owner: number): PeerRef[] {
  return [...world.tables.dialogs.values()].filter((row) => row.owner === owner && row.notify).map(({ peer }) => peer);
}
