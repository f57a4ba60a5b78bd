import type { OutgoingMedia } from '../telegram/port/outgoing.ts';
import type { Content } from './content.ts';

/** A venue if it has a name or an address, else a pin (MS5). A venue needs a title: without a name it is the address. */
export function locationMedia({
  latitude,
  longitude,
  name,
  address,
}: Extract<Content, { type: 'location' }>): OutgoingMedia {
  if (name === '' && address === '') return { kind: 'location', latitude, longitude };
  return { kind: 'venue', latitude, longitude, title: name === '' ? address : name, address };
}
