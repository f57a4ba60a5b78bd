import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import type { LinkTexts } from './texts/link-texts.ts';
import { pt } from './texts/pt.ts';
import { ru } from './texts/ru.ts';

const languages = { en, de, es, pt, ru } as const;
export type Language = keyof typeof languages;

const isKnown = (language: string): language is Language => Object.hasOwn(languages, language);

/**
 * The first language that the page has.
 * @param wanted language tags in the order of preference: `pt-BR`
 */
export function chooseTexts(wanted: readonly string[]): { language: Language; texts: LinkTexts } {
  const language = wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find(isKnown) ?? 'en';
  return { language, texts: languages[language] };
}
