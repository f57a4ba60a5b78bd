/** @param faults gets what is wrong with it. @returns the text as it is */
export function checkUrl(name: string, text: string | undefined, faults: string[]): string | undefined {
  if (text === undefined) return undefined;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    faults.push(`${name} must be an http or https url`);
  }
  return text;
}
