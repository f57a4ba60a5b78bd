import { Type } from 'typebox';
import { RpcError } from '../../rpc.ts';
import { acceptToken } from '../../world/logins/login-tokens.ts';
import type { ControlApp, ControlDeps } from '../control-app.ts';
import { ControlError } from '../control-error.ts';
import { readQrImage } from '../read-qr-image.ts';
import { resolveAccount } from '../resolve-peer.ts';

const Scan = Type.Object({
  userId: Type.Union([Type.String(), Type.Integer()]),
  link: Type.Optional(Type.String({ maxLength: 4_096 })),
  /** An image in base64, with or without a `data:…;base64,` prefix: the `qrcode` of `GET /session`. */
  qrcode: Type.Optional(Type.String()),
});

const messagesByError: Record<string, string> = {
  AUTH_TOKEN_INVALID: 'the login token is unknown',
  AUTH_TOKEN_EXPIRED: 'the login token has expired',
  AUTH_TOKEN_ALREADY_ACCEPTED: 'the login token has been used already',
  AUTH_TOKEN_EXCEPTION: 'the account is logged in on that device already',
};

/** Scanning QR codes. */
export function qrRoutes(app: ControlApp, { world }: ControlDeps): void {
  app.post('/qr/scan', { schema: { body: Scan } }, async ({ body }) => {
    const user = resolveAccount(world, String(body.userId));
    if (user.bot || user.deleted) throw new ControlError(400, 'bots and deleted accounts cannot scan QR codes');
    const link = body.link?.trim() || (await readLink(body.qrcode));
    const token = /^tg:\/\/login\?token=([\w-]+={0,2})$/.exec(link)?.[1];
    if (!token) throw new ControlError(400, 'the link is not a tg://login?token=… link');
    try {
      acceptToken(world, user, Buffer.from(token, 'base64url'));
    } catch (error) {
      if (error instanceof RpcError) throw new ControlError(400, messagesByError[error.text] ?? error.text);
      throw error;
    }
    return { userId: String(user.id), accepted: true };
  });
}

async function readLink(qrcode: string | undefined): Promise<string> {
  if (!qrcode?.trim()) throw new ControlError(400, 'link or qrcode should not be empty');
  const bytes = Buffer.from(qrcode.trim().replace(/^data:[^,]*,/, ''), 'base64');
  const text = await readQrImage(bytes);
  if (text === undefined) throw new ControlError(400, 'no QR code could be read in the image');
  return text;
}
