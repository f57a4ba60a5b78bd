import type { TlObject } from '../../rpc.ts';
import type { MediaKind, SampleOptions } from './sample-options.ts';

/** TL media that have no file: places, contacts, polls, dice, previews of web pages. */
export function tlMediaWithoutFile(kind: MediaKind, options: SampleOptions): TlObject {
  const geo = {
    _: 'geoPoint',
    long: options.longitude ?? 13.377,
    lat: options.latitude ?? 52.516,
    access_hash: BigInt(options.seed),
  };
  switch (kind) {
    case 'location':
      return { _: 'messageMediaGeo', geo };
    case 'venue': {
      const place = { title: options.title ?? 'The workshop', address: options.address ?? '1 Bench Street' };
      return { _: 'messageMediaVenue', geo, ...place, provider: 'foursquare', venue_id: '', venue_type: '' };
    }
    case 'contact':
      return {
        _: 'messageMediaContact',
        phone_number: options.phone ?? '15550009999',
        first_name: options.name ?? 'Somebody',
        last_name: '',
        vcard: '',
        user_id: 0n,
      };
    case 'poll':
      return tlPoll(options);
    case 'webpage':
      return {
        _: 'messageMediaWebPage',
        webpage: {
          _: 'webPage',
          id: BigInt(options.seed),
          url: options.url ?? 'https://example.com/today',
          display_url: 'example.com/today',
          hash: 0,
          type: 'article',
          site_name: 'Example',
          title: options.title ?? 'Today',
          description: 'What happened today',
        },
      };
    default:
      return { _: 'messageMediaDice', value: options.value ?? 1 + (options.seed % 6), emoticon: options.emoji ?? '🎲' };
  }
}

function tlPoll(options: SampleOptions): TlObject {
  const plain = (text: string): TlObject => ({ _: 'textWithEntities', text, entities: [] });
  const answers = (options.options ?? ['Yes', 'No', 'Perhaps']).map((text, index) => ({
    _: 'pollAnswer',
    text: plain(text),
    option: Buffer.from([48 + index]),
  }));
  const question = plain(options.question ?? 'Shall we?');
  return {
    _: 'messageMediaPoll',
    poll: { _: 'poll', id: BigInt(options.seed), question, answers },
    results: { _: 'pollResults', total_voters: 0 },
  };
}
