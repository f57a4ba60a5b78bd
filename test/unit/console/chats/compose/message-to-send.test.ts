import { describe, expect, it } from 'vitest';
import {
  attemptWith,
  editBody,
  kindOf,
  messageBody,
  randomKey,
  suggestedKind,
} from '../../../../../console/chats/compose/message-to-send.ts';
import { chatDoc, messageDoc } from '../../../../support/browser/chat-documents.ts';

const plain = { text: 'Hi', replyTo: '', file: undefined };

describe('the body of a message', () => {
  it('[CO6.4] names the chat by its kind', () => {
    expect(messageBody(chatDoc(), plain)).toEqual({ user: '1002', type: 'text', text: 'Hi' });
    expect(messageBody(chatDoc({ kind: 'bot' }), plain)).toEqual({ user: '1002', type: 'text', text: 'Hi' });
    expect(messageBody(chatDoc({ kind: 'group', id: '-2001' }), { ...plain, replyTo: '7' })).toEqual({
      group: '-2001',
      type: 'text',
      text: 'Hi',
      replyTo: '7',
    });
    expect(messageBody(chatDoc({ kind: 'channel', id: '-1004001' }), plain)).toHaveProperty('channel', '-1004001');
  });

  it('[CO6.4] has what the interface asks for of a file', () => {
    const url = 'https://files.example/a%20plan.pdf?v=1';
    const body = (kind: 'image' | 'video' | 'document', of = url) =>
      messageBody(chatDoc(), { ...plain, file: { kind, url: of } });
    expect(body('document')).toEqual({
      user: '1002',
      type: 'document',
      text: 'Hi',
      document: { url, mimetype: 'application/pdf', name: 'a plan.pdf', size: 1 },
    });
    expect(body('image', 'https://files.example/x')).toMatchObject({ image: { mimetype: 'image/jpeg' } });
    expect(body('video')).toHaveProperty('video.duration', 1);
    expect(body('document', 'https://files.example/')).toHaveProperty('document.name', 'file');
    expect(body('document', 'https://files.example/%')).toHaveProperty('document.name', '%');
  });

  it('[CO6.4] names a file that was uploaded', () => {
    const chosen = new File(['four'], 'a plan.pdf', { type: 'application/pdf' });
    const body = (kind: 'image' | 'video' | 'document', of = chosen) =>
      messageBody(chatDoc(), { ...plain, file: { kind, url: '', chosen: of }, uploaded: { id: 'f1', size: 4 } });
    const document = { file: 'f1', mimetype: 'application/pdf', name: 'a plan.pdf', size: 4 };
    expect(body('document')).toEqual({ user: '1002', type: 'document', text: 'Hi', document });
    expect(body('image', new File([], 'x'))).toHaveProperty('image', { file: 'f1', mimetype: 'image/jpeg' });
    expect(body('video')).toHaveProperty('video', { file: 'f1', mimetype: 'application/pdf', duration: 1 });
    expect(['image/png', 'video/mp4', 'audio/mpeg', ''].map(kindOf)).toEqual([
      'image',
      'video',
      'document',
      'document',
    ]);
  });

  it('[CO6.8] names the topic of a forum', () => {
    const body = messageBody(chatDoc({ kind: 'group', id: '-1003001' }), { ...plain, topic: '7' });
    expect(body).toEqual({ group: '-1003001', type: 'text', text: 'Hi', topic: '7' });
  });

  it('[CO6.6] of an edit has the formatting', () => {
    const message = messageDoc({ id: '7' });
    const entities = [{ type: 'bold', offset: 2, length: 5 } as const];
    expect(editBody(chatDoc(), message, { text: 'A train', entities })).toEqual({
      user: '1002',
      messageId: '7',
      text: 'A <b>train</b>',
      parseMode: 'html',
    });
    expect(editBody(chatDoc(), message, { text: 'Tea & cake', entities: [] })).toEqual({
      user: '1002',
      messageId: '7',
      text: 'Tea & cake',
    });
  });

  it('[CO6.4] the end of a URL suggests what to send a file as', () => {
    const ends = ['x.PNG?v=1', 'x.mp4', 'x.mp3', 'x.pdf', 'x', ''];
    expect(ends.map((end) => suggestedKind(`https://files.example/${end}`))).toEqual([
      'image',
      'video',
      'document',
      'document',
      'document',
      'document',
    ]);
    expect(suggestedKind('no url.png')).toBe('document');
  });
});

describe('an attempt to send', () => {
  it('[CO6.4] has the key of the last one if the body is the same, else a new one', () => {
    let made = 0;
    const newKey = (): string => `key ${(made += 1)}`;
    const first = attemptWith(undefined, { text: 'a' }, newKey);
    expect(attemptWith(first, { text: 'a' }, newKey).key).toBe('key 1');
    expect(attemptWith(first, { text: 'b' }, newKey).key).toBe('key 2');
    expect(attemptWith(undefined, { text: 'a' }, newKey).key).toBe('key 3');
  });

  it('[CO6.4] makes keys of 128 random bits', () => {
    const keys = [randomKey(), randomKey()];
    for (const key of keys) expect(key).toMatch(/^[\da-f]{32}$/);
    expect(keys[0]).not.toBe(keys[1]);
  });
});
