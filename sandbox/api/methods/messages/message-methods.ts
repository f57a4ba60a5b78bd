import type { Method } from '../../method.ts';
import { albumMethods } from './albums.ts';
import { callbackMethods } from './callbacks.ts';
import { dialogSettingMethods } from './dialog-settings.ts';
import { forwardMethods } from './forwards.ts';
import { notifySettingMethods } from './notify-settings.ts';
import { pinMethods } from './pins.ts';
import { pollMethods } from './polls.ts';
import { reactionSettingMethods } from './reaction-settings.ts';
import { reactionMethods } from './reactions.ts';
import { scheduledMethods } from './scheduled.ts';
import { searchMethods } from './search.ts';
import { stickerSetMethods } from './sticker-sets.ts';

/** What accounts do with messages, besides sending and reading them. */
export const messageMethods: Record<string, Method> = {
  ...albumMethods,
  ...callbackMethods,
  ...dialogSettingMethods,
  ...forwardMethods,
  ...notifySettingMethods,
  ...pinMethods,
  ...pollMethods,
  ...reactionMethods,
  ...reactionSettingMethods,
  ...scheduledMethods,
  ...searchMethods,
  ...stickerSetMethods,
};
