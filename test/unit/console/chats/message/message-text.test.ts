import { describe, expect, it } from 'vitest';
import { lastLine, messageSummary, senderName } from '../../../../../console/chats/message/message-text.ts';
import { groupByDay } from '../../../../../console/chats/message-groups.ts';
import { chatDoc, messageDoc } from '../../../../support/browser/chat-documents.ts';

const url = 'https://gateway.example/media/x';
const cara = { id: '1003', name: 'Cara Doe', username: '', phone: '', picture: '' };

describe('a message in one line', () => {
  it('[CO6.1] is its text, or what it is', () => {
    const document = { url, name: 'plan.pdf', size: 1, mimetype: 'application/pdf' };
    const lines = [
      messageDoc({ text: 'Hi' }),
      messageDoc({ type: 'image', text: '' }),
      messageDoc({ type: 'image', text: 'the bench' }),
      messageDoc({ type: 'document', text: '', document }),
      messageDoc({ type: 'poll', text: '', polling: { name: 'Tea?', options: [] } }),
    ].map(messageSummary);
    expect(lines).toEqual(['Hi', 'Photo', 'Photo: the bench', 'File: plan.pdf', 'Poll: Tea?']);
  });

  it('[CO6.1] of the list names who wrote, unless it is the chat itself', () => {
    expect(lastLine(chatDoc({ last: null }))).toBe('');
    expect(lastLine(chatDoc({ last: messageDoc() }))).toBe('Hello');
    expect(lastLine(chatDoc({ last: messageDoc({ fromMe: true }) }))).toBe('You: Hello');
    expect(lastLine(chatDoc({ kind: 'group', last: messageDoc({ user: cara }) }))).toBe('Cara: Hello');
  });

  it('[CO6.2] is by the account, the other side, or the member who wrote', () => {
    const chat = chatDoc({ name: 'Chat' });
    expect(senderName(messageDoc({ fromMe: true }), chat)).toBe('You');
    expect(senderName(messageDoc(), chat)).toBe('Chat');
    expect(senderName(messageDoc({ user: cara }), { ...chat, kind: 'group' })).toBe('Cara Doe');
    expect(senderName(messageDoc({ user: { ...cara, name: '' } }), { ...chat, kind: 'group' })).toBe('Chat');
  });
});

describe('messages by day', () => {
  it('[CO6.2] each day has its messages, and says where another sender begins', () => {
    const [early, late] = ['2026-03-04T10:00:00.000Z', '2026-03-06T10:00:00.000Z'];
    const days = groupByDay([
      messageDoc({ id: '1', created: early }),
      messageDoc({ id: '2', created: early }),
      messageDoc({ id: '3', created: early, fromMe: true }),
      messageDoc({ id: '4', created: late, fromMe: true }),
    ]);
    expect(
      days.map(({ created, messages }) => ({
        created,
        messages: messages.map(({ message, isFirstOfSender }) => `${message.id}${isFirstOfSender ? ' first' : ''}`),
      })),
    ).toEqual([
      { created: early, messages: ['1 first', '2', '3 first'] },
      { created: late, messages: ['4 first'] },
    ]);
  });
});
