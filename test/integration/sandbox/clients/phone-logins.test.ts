import { expect, it } from 'vitest';
import { useSandbox } from '../../../support/sandbox/control-client.ts';
import { gramJsClient } from '../../../support/telegram-clients/gramjs.ts';
import { mtcuteClient } from '../../../support/telegram-clients/mtcute.ts';

const on = useSandbox();

const readCode = async (userId: number): Promise<string> => (await on.get(`/accounts/${userId}/codes`)).body[0].code;

it.each([
  [1001, '15550000001'],
  [1002, '15550000002'],
])('mtcute and GramJS log %i in with a number, a code, and the password if there is one', async (id, phone) => {
  const client = await mtcuteClient(on.sandbox.protocol);
  const other = gramJsClient(on.sandbox.protocol, 'full');
  try {
    const me = await client.start({ phone, code: () => readCode(id), password: 'hunter2' });
    expect(me).toMatchObject({ id });
    await other.start({
      phoneNumber: phone,
      // The account is logged in now: the code is a message in its app.
      phoneCode: async (isInApp) => {
        expect(isInApp).toBe(true);
        return readCode(id);
      },
      password: async () => 'hunter2',
      onError: (error) => {
        throw error;
      },
    });
    expect((await other.getMe()).id.toString()).toBe(String(id));
    const texts = (await on.get(`/accounts/${id}/messages?peer=777000&limit=5`)).body;
    expect(texts.map(({ text }: { text: string }) => text.slice(0, 10))).toEqual(['New login.', 'Login code']);
    const codes = await on.get(`/codes?phone=${phone}`);
    expect(codes.body).toEqual([]);
  } finally {
    await client.destroy();
    await other.destroy();
  }
});

it('mtcute logs a bot in with the token that the control API shows', async () => {
  const { body } = await on.get('/accounts');
  const { token } = body.find(({ bot }: { bot?: boolean }) => bot);
  const client = await mtcuteClient(on.sandbox.protocol);
  const wrong = await mtcuteClient(on.sandbox.protocol);
  try {
    expect(await client.start({ botToken: token })).toMatchObject({ id: 1004, isBot: true });
    await expect(wrong.signInBot(`${token}x`)).rejects.toThrow('ACCESS_TOKEN_INVALID');
  } finally {
    await client.destroy();
    await wrong.destroy();
  }
});
