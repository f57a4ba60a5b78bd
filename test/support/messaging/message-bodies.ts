// Parts of the bodies of sends, each as the interface wants it.

export const text = { user: '1001', type: 'text', text: 'hi' };
export const url = 'https://files.example/a';
/** A URL of as many characters. */
export const long = (length: number): string => url.padEnd(length, 'a');
export const image = { url, mimetype: 'image/png' };
export const video = { url, mimetype: 'video/mp4', duration: 1.5 };
export const audio = { url, mimetype: 'audio/mpeg', duration: 60 };
export const document = { url, name: 'a.pdf', size: 12, mimetype: 'application/pdf' };
export const location = { latitude: 52.5, longitude: -13.4 };
export const contact = { name: 'Ann Lee', phone: '+1 555 000 0001' };
