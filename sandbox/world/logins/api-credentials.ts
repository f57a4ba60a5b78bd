/** The API ID and hash that the control API shows and that clients must use. */
export const sandboxApiId = 17_349;
export const sandboxApiHash = '5a6e2b0c8f1d4e7793ab20c4d6e8f015';
