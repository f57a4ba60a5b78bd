import type { MessageRow } from '../state/message-rows.ts';
import type { World } from '../world.ts';

/** Users with a device who can see a message, each with the copy that is theirs. */
export function viewersOf(world: World, message: MessageRow): { viewer: number; copy: MessageRow }[] {
  return [...world.tables.copiesOf(message.twin)].flatMap(([box, id]) => {
    const copy = world.tables.message(box, id);
    if (!copy) return [];
    const [kind, owner] = box.split(':') as [string, string];
    const ids = kind === 'user' ? [owner] : Object.keys(world.tables.chats.get(box)?.members ?? {});
    return ids
      .map(Number)
      .filter((viewer) => world.tables.activeLogins(viewer).length > 0)
      .map((viewer) => ({ viewer, copy }));
  });
}
