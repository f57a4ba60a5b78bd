import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';

/** A test of its own holds it to the document of a gateway that runs. */
const source = readFileSync('docs/openapi.json', 'utf8');
const withoutDescriptions = source.replaceAll(/"description": "(?:[^"\\]|\\.)*"/g, '"description": ""');

async function redocly(document: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: document, absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location: [place] }) => `${ruleId} ${place?.pointer} ${message}`);
}

async function spectral(document: string): Promise<string[]> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'recommended']] });
  const problems = await linter.run(JSON.parse(document) as Record<string, unknown>);
  return problems.map(({ code, message, path }) => `${code} ${path.join('/')} ${message}`);
}

describe('linters of API documents', () => {
  it('[OA1.4] Redocly finds nothing, with its recommended rules', async () => {
    expect(await redocly(source)).toEqual([]);
    expect(await redocly(source.replace('"operationId": "sendMessage"', '"operationId": "getSession"'))).not.toEqual(
      [],
    );
  });

  it('[OA1.4] Spectral finds nothing, with its recommended rules', async () => {
    expect(await spectral(source)).toEqual([]);
    expect(await spectral(withoutDescriptions)).not.toEqual([]);
  });
});
