import { describe, expect, it } from 'vitest';
import { corsOrigins } from '../../../src/config/origins.ts';

function read(text: string, more: { API_KEY?: string; ALLOW_OPEN?: boolean } = {}) {
  const faults: string[] = [];
  const origins = corsOrigins({ CORS_ORIGINS: text, ALLOW_OPEN: false, ...more }, faults);
  return { origins, faults };
}

describe('CORS_ORIGINS', () => {
  it.each([
    ['', []],
    ['https://crm.example', ['https://crm.example']],
    [' https://crm.example , http://localhost:5173,', ['https://crm.example', 'http://localhost:5173']],
    ['chrome-extension://abcdef,capacitor://localhost', ['chrome-extension://abcdef', 'capacitor://localhost']],
    ['http://[::1]:3000', ['http://[::1]:3000']],
  ])('[CR1.1] %j names %j', (text, origins) => {
    expect(read(text)).toEqual({ origins, faults: [] });
  });

  it.each([
    'crm.example',
    'https://crm.example/',
    'https://crm.example/page',
    'https://CRM.example',
    'https://crm.example:443',
    'https://*.example',
    'null',
    '*,https://crm.example',
  ])('[CR1.1] %j is refused: no browser sends it', (text) => {
    expect(read(text, { API_KEY: 'key' }).faults).toEqual([
      'CORS_ORIGINS must be origins, as in https://crm.example,http://localhost:5173, or * alone',
    ]);
  });

  it('[CR1.3] * needs an API key, or a gateway that is open on purpose', () => {
    expect(read('*').faults).toEqual(['CORS_ORIGINS must name origins, unless API_KEY is set']);
    expect(read('*', { API_KEY: 'key' })).toEqual({ origins: '*', faults: [] });
    expect(read('*', { ALLOW_OPEN: true })).toEqual({ origins: '*', faults: [] });
  });
});
