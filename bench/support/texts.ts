/** Texts that a bare client sends: the input of the command `send`. */
export interface Texts {
  username: string;
  text: string;
  /** How many each client sends, and up to how many of them at a time. */
  count: number;
  inFlight: number;
  /** `client`: with the library's own method for a text; `request`: the bare RPC. */
  way: 'client' | 'request';
}

export const sampleText = 'The train leaves at 8:15 from platform 4, see you there';
export const recipient = 'bob';
