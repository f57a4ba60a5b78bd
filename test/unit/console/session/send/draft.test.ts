import { describe, expect, it } from 'vitest';
import { type Draft, type DraftType, draftBody, draftTypes } from '../../../../../console/session/send/draft.ts';
import { MessageBody } from '../../../../../src/http/message/schemas.ts';
import { failuresOf } from '../../../../../src/http/shared/validation.ts';

const filled: Draft = {
  recipient: { kind: 'username', value: ' bob ' },
  type: 'text',
  text: 'Hello',
  parseMode: '',
  url: 'https://files.example/a%20plan.pdf',
  latitude: '52.5',
  longitude: '13.4',
  name: 'Ann',
  address: '',
  phone: '+15550000001',
  question: 'Tea?',
  options: 'Yes\n\nNo\n',
  replyTo: '',
  isSilent: false,
};
const types = Object.keys(draftTypes) as DraftType[];
const kept = { id: '0197f3a2-8d40-7a11-9c55-2f6f0a1b3c4d', name: 'plan.pdf', type: 'application/pdf', size: 4 };

describe('the body that the form sends', () => {
  it.each(types)('[CO3.3] is one that the gateway takes: %s, from a URL or this device', (type) => {
    for (const file of [undefined, kept]) {
      const body = draftBody({ ...filled, type }, file);
      expect({ body, failures: failuresOf(MessageBody, body as Record<string, unknown>, 'body') }).toMatchObject({
        failures: [],
      });
    }
  });

  it('[CO3.3] has what was filled in, and nothing else', () => {
    expect(draftBody(filled)).toEqual({ username: 'bob', type: 'text', text: 'Hello' });
    const more = { ...filled, parseMode: 'html', replyTo: ' 7 ', isSilent: true } as const;
    expect(draftBody(more)).toEqual({
      username: 'bob',
      type: 'text',
      text: 'Hello',
      parseMode: 'html',
      replyTo: '7',
      silent: true,
    });
    expect(draftBody({ ...filled, type: 'location' })).toEqual({
      username: 'bob',
      type: 'location',
      location: { latitude: 52.5, longitude: 13.4, name: 'Ann' },
    });
    expect(draftBody({ ...filled, type: 'poll' })).toHaveProperty('poll', { question: 'Tea?', options: ['Yes', 'No'] });
    expect(draftBody({ ...filled, type: 'document' })).toHaveProperty('document', {
      url: filled.url,
      mimetype: 'application/pdf',
      name: 'a plan.pdf',
      size: 1,
    });
    expect(draftBody({ ...filled, type: 'voice' }, kept)).toMatchObject({ text: 'Hello', voice: { file: kept.id } });
    expect(draftBody({ ...filled, type: 'image', text: '' }, kept)).toEqual({
      username: 'bob',
      type: 'image',
      image: { file: kept.id, mimetype: 'application/pdf' },
    });
  });
});
