import { createHash } from 'node:crypto';
import type { TlObject } from '../../rpc.ts';
import type { MediaKind, SampleOptions } from './sample-options.ts';

/** TL media that have no file: places, contacts, dice, previews of web pages. */
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
    case 'webpage': {
      const url = options.url ?? 'https://example.com/today';
      return {
        _: 'messageMediaWebPage',
        webpage: {
          _: 'webPage',
          // From the link: Telegram knows a page by one ID.
          id: createHash('sha1').update(url).digest().readBigInt64LE(),
          url,
          display_url: 'example.com/today',
          hash: 0,
          type: 'article',
          site_name: 'Example',
          title: options.title ?? 'Today',
          description: 'What happened today',
        },
      };
    }
    default:
      return { _: 'messageMediaDice', value: options.value ?? 1 + (options.seed % 6), emoticon: options.emoji ?? '🎲' };
  }
}
