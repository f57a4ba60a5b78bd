import { describe, expect, it } from 'vitest';
import { findCircles } from '../../support/repository/circles.ts';
import { readImports, sourceFiles } from '../../support/repository/imports.ts';

/** The folders whose files must not import each other in a circle, not even for their types. */
const withoutCircles = ['actors', 'projections', 'src', 'sandbox', 'console', 'bench'];

describe('import circles', () => {
  it('are found, each once', () => {
    const imports = ['b>c', 'c>a', 'a>b', 'a>d', 'd>e', 'f>f', 'e>xstate'].map((arrow) => {
      const [file = '', target = ''] = arrow.split('>');
      return { file, target };
    });
    expect(findCircles(imports)).toEqual(['a -> b -> c -> a', 'f -> f']);
  });

  it.each(withoutCircles)('%s has none', (folder) => {
    expect(sourceFiles([folder]).length).toBeGreaterThanOrEqual(5);
    expect(findCircles(readImports([folder]))).toEqual([]);
  });
});
