/** The API id and hash that the sandbox hands out and asks for. */
export const sandboxApiId = 17_349;
export const sandboxApiHash = '5a6e2b0c8f1d4e7793ab20c4d6e8f015';
