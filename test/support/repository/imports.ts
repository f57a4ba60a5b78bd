import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

export interface ImportStatement {
  /** Path of the importing file from the project's root. */
  file: string;
  /** A path from the root where a file of the project is imported, else the package as written. */
  target: string;
  /** Nothing of it is left at run time. */
  isType: boolean;
}

const statement =
  /\b(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?'([^']+)'|\b(?:import|require)\(\s*'([^']+)'/g;

/** Every import, export-from, dynamic import and require in the files of some top-level folders. */
export function readImports(folders: readonly string[]): ImportStatement[] {
  return sourceFiles(folders).flatMap((file) =>
    importsOf(readFileSync(join(root, file), 'utf8')).map(({ specifier, isType }) => ({
      file,
      target: specifier.startsWith('.') ? relative(root, resolve(root, dirname(file), specifier)) : specifier,
      isType,
    })),
  );
}

/** The specifiers that a source text imports, in order. */
export function importsOf(source: string): { specifier: string; isType: boolean }[] {
  return [...source.matchAll(statement)].map(([, type, static_, dynamic]) => ({
    specifier: static_ ?? dynamic ?? '',
    isType: type !== undefined,
  }));
}

/** The TypeScript files of some top-level folders, as paths from the project's root. */
export function sourceFiles(folders: readonly string[]): string[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
    )
    .filter((path) => /\.tsx?$/.test(path))
    .toSorted();
}
