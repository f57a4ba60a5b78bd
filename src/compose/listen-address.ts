import type { AddressInfo } from 'node:net';

/** The address that HTTP listens on. The system may choose its port, so it is known only once HTTP listens. */
export class ListenAddress {
  #url = '';

  /** `http://host:port`; empty until HTTP listens. */
  get url(): string {
    return this.#url;
  }

  /** Reading a socket's address is a system call, and a page of messages has a hundred links: it is read once. */
  listens(host: string, address: AddressInfo | string | null): void {
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
    this.#url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
  }
}
