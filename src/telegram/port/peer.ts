/** A chat that was resolved and can be written to. What the library needs for it stays in `src/telegram`. */
export interface Peer {
  kind: 'user' | 'group' | 'channel';
  /** As the interface writes it: `1001`, `-2001` (basic group), `-1003001` (supergroup, channel). */
  id: string;
}
