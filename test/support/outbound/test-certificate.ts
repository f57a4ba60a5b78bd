/** For `localhost`, `site.test` and 127.0.0.1, signed by itself, until 2126: nobody trusts it unless told to. */
export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBpjCCAUygAwIBAgIUO5gF2pISaGL8CE32kX6JgUveryowCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE3MjM1NFoYDzIxMjYxMDI4
MTcyMzU0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARW/lqgg4Wv6HMz4AoIUbMa2hixWW/7xbrwd9tlvXBYMVJbuwg9LJNT
dWKp8/etaQgsisjEq+ao2EL0YYQQdlzVo3oweDAdBgNVHQ4EFgQUEBA6/2dEW+Tv
K1GpfuzsFYlR5S0wHwYDVR0jBBgwFoAUEBA6/2dEW+TvK1GpfuzsFYlR5S0wDwYD
VR0TAQH/BAUwAwEB/zAlBgNVHREEHjAcgglsb2NhbGhvc3SCCXNpdGUudGVzdIcE
fwAAATAKBggqhkjOPQQDAgNIADBFAiEA4p2Ij9czwm/Neeqgsb3YIt804QgO6KGF
T2sGAfS4aMwCICztzqMYbn9zksU7U9gSRNyUDfWPsYcJLW6ojNFhmdJx
-----END CERTIFICATE-----
`;

/** Its key, which opens nothing. */
export const testCertificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgu1I+JoG1cDu9/piF
0eSNO1bf4nKxNRSSwV9Qn2lUwxyhRANCAARW/lqgg4Wv6HMz4AoIUbMa2hixWW/7
xbrwd9tlvXBYMVJbuwg9LJNTdWKp8/etaQgsisjEq+ao2EL0YYQQdlzV
-----END PRIVATE KEY-----
`;
