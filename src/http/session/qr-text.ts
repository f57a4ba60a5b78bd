import { encodeQR } from 'qr';

/** A text as a QR code for a terminal with light letters on a dark ground. */
export const qrText = (text: string): string => encodeQR(text, 'ascii');
