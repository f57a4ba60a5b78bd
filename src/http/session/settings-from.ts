import type { CreationSettings, SessionNames, SessionSettings } from '../../../actors/session/session-settings.ts';
import type { CreationBody, SettingsBody } from './schemas.ts';
import { webhookFrom } from './session-webhook.ts';

/** The settings in the body of a request: those that it leaves out are left out. */
export function settingsFrom({ name, metadata, webhook }: SettingsBody): SessionSettings {
  return {
    ...(name === undefined ? {} : { name }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(webhook === undefined ? {} : { webhook: webhookFrom(webhook) }),
  };
}

/** The settings of a session that is to be created. */
export const settingsOfCreation = (body: Omit<CreationBody, 'login'>): CreationSettings => ({
  ...settingsFrom(body),
  ...namesFrom(body),
});

const namesFrom = ({ externalId, label }: Pick<CreationBody, 'externalId' | 'label'>): SessionNames => ({
  ...(externalId === undefined ? {} : { externalId }),
  ...(label === undefined ? {} : { label }),
});
