/** `EARLY_FREEING`: whether buffers are freed before V8 would collect them (ADR 14). One heap, so one switch a process. */
let isOn = true;

export function setEarlyFreeing(on: boolean): void {
  isOn = on;
}

export const isEarlyFreeing = (): boolean => isOn;
