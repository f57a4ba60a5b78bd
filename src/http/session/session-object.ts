import type { Sealed, Sealer } from '../../../actors/ports/sealer.ts';
import type { Account } from '../../../actors/ports/telegram-session.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { proxyAddress } from '../../telegram/port/proxy-url.ts';
import { qrPng } from './qr-image.ts';
import type { SessionWithoutSecret } from './schemas.ts';
import type { SessionWebhook } from './session-webhook.ts';

const emptyAccount: Account = { id: '', name: '', username: '', phone: '' };

type Open = Pick<Sealer, 'open'>;

/** Empty if there is no text, or its key is destroyed. */
const opened = async (view: SessionView, sealer: Open, sealed: Sealed | undefined): Promise<string> =>
  sealed === undefined ? '' : ((await sealer.open(view.id, sealed)) ?? '');

/** Both are empty while it is off. */
export async function webhookObject(view: SessionView, sealer: Open): Promise<SessionWebhook> {
  const [url, token] = await Promise.all([
    opened(view, sealer, view.webhook?.url),
    opened(view, sealer, view.webhook?.token),
  ]);
  return { url, token };
}

/** A view, and the picture that belongs to it. */
export interface ShownSession {
  view: SessionView;
  picture: Sealed | undefined;
}

/**
 * Opens the sealed texts of a session and builds the Session object. Connected, password and QR code all follow from one
 * state (SE12).
 */
export async function sessionObject(
  { view, picture: sealedPicture }: ShownSession,
  sealer: Open,
): Promise<SessionWithoutSecret> {
  const open = (sealed: Sealed | undefined): Promise<string> => opened(view, sealer, sealed);
  const [name, metadata, link, hint, accountJson, picture, proxy, webhook] = await Promise.all([
    open(view.name),
    open(view.metadata),
    open(view.state === 'qrPending' ? view.qrLink : undefined),
    open(view.state === 'passwordRequired' ? view.passwordHint : undefined),
    open(view.account),
    open(sealedPicture),
    open(view.proxy),
    webhookObject(view, sealer),
  ]);
  const account = accountJson === '' ? emptyAccount : (JSON.parse(accountJson) as Account);
  return {
    id: view.id,
    generatedId: account.id,
    name: account.name || account.username || account.phone || account.id || name,
    username: account.username,
    phone: account.phone,
    isConnected: view.state === 'connected',
    qrcode: imageOf(link),
    isPasswordRequired: view.state === 'passwordRequired',
    passwordHint: hint,
    picture,
    webhook,
    isCodeRequired: view.state === 'codeRequired',
    codeSentTo: view.codeSentTo ?? '',
    ...(metadata === '' ? {} : { metadata: JSON.parse(metadata) as Record<string, string> }),
    ...(view.externalId !== undefined && { externalId: view.externalId }),
    ...(view.label !== undefined && { label: view.label }),
    ...(proxy === '' ? {} : { proxy: { url: proxyAddress(proxy) } }),
  };
}

/**
 * The Session object of a past moment (AD2), without the QR code, which is used up, and without the webhook's token.
 */
export async function pastSessionObject(
  { view: { qrLink: _used, ...view }, picture }: ShownSession,
  sealer: Open,
): Promise<SessionWithoutSecret> {
  const { webhook, ...session } = await sessionObject({ view, picture }, sealer);
  return { ...session, webhook: { url: webhook.url, token: '' } };
}

/** The QR code of a session as base64 of a PNG; empty if there is none. */
export const qrImage = async (view: SessionView, sealer: Open): Promise<string> =>
  imageOf(await opened(view, sealer, view.qrLink));

const imageOf = (link: string): string => (link === '' ? '' : qrPng(link).toString('base64'));

/** ISO 8601; empty if there is no time. */
export const iso = (ms: number | undefined): string => (ms === undefined ? '' : new Date(ms).toISOString());
