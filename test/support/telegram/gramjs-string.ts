import { AuthKey } from 'telegram/crypto/AuthKey.js';
import { StringSession } from 'telegram/sessions/index.js';

/** The session string that the unmodified GramJS writes for a login in data centre 4. */
export async function gramJsString(key: Buffer, address: string): Promise<string> {
  const session = new StringSession('');
  session.setDC(4, address, 443);
  const authKey = new AuthKey();
  await authKey.setKey(key);
  session.setAuthKey(authKey);
  return session.save();
}
