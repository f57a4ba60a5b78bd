interface Environment {
  CORS_ORIGINS: string;
  API_KEY?: string | undefined;
  ALLOW_OPEN: boolean;
}

/** An origin that is not a web site's: `chrome-extension://…`, `capacitor://localhost`. */
const otherOrigin = /^[a-z][a-z\d+.-]*:\/\/[\w.:-]+$/;

/** Origins as browsers send them, separated by commas; none: pages of other origins read nothing (CR1). */
export function corsOrigins(
  { CORS_ORIGINS, API_KEY, ALLOW_OPEN }: Environment,
  faults: string[],
): readonly string[] | '*' {
  const parts = CORS_ORIGINS.split(',').map((part) => part.trim());
  const origins = parts.filter((part) => part !== '');
  if (origins.length === 1 && origins[0] === '*') {
    // A page of any site would read what this machine can read.
    if (API_KEY === undefined && !ALLOW_OPEN) faults.push('CORS_ORIGINS must name origins, unless API_KEY is set');
    return '*';
  }
  if (!origins.every(isOrigin)) {
    faults.push('CORS_ORIGINS must be origins, as in https://crm.example,http://localhost:5173, or * alone');
  }
  return origins;
}

function isOrigin(text: string): boolean {
  if (!/^https?:/i.test(text)) return otherOrigin.test(text);
  return !text.includes('*') && URL.canParse(text) && new URL(text).origin === text;
}
