import { differencesOf, inWords, type Outcome } from './differences.ts';

/** One step on one side. */
export interface StepResult {
  /** What it does, in words. */
  name: string;
  /** `messages.SendMessage` */
  call: string;
  outcome: Outcome;
  ms: number;
}

/** The differences of all steps, each with the step's name. */
export function allDifferences(telegram: readonly StepResult[], sandbox: readonly StepResult[]): string[] {
  return telegram.flatMap((step, index) => {
    const other = sandbox[index]?.outcome ?? { kind: 'skipped' as const };
    return differencesOf(step.outcome, other).map((text) => `${step.name}: ${text}`);
  });
}

/** The report as Markdown. @param layer the API's layer that both were asked in */
export function comparisonReport(
  telegram: readonly StepResult[],
  sandbox: readonly StepResult[],
  { layer, madeAt }: { layer: number; madeAt: Date },
): string {
  const differences = allDifferences(telegram, sandbox);
  const rows = telegram.map((step, index) => {
    const other = sandbox[index];
    const count = differencesOf(step.outcome, other?.outcome ?? { kind: 'skipped' }).length;
    const cells = [
      step.name,
      `\`${step.call}\``,
      inWords(step.outcome),
      other ? inWords(other.outcome) : '',
      String(Math.round(step.ms)),
      other ? String(Math.round(other.ms)) : '',
      count === 0 ? '' : String(count),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '# Telegram and the sandbox',
    '',
    `Layer ${layer}, ${madeAt.toISOString().slice(0, 10)}. ${telegram.length} calls, ${differences.length} differences.`,
    'The report has the shapes of answers: constructors, fields, orders, the names of errors. Nothing personal is in it.',
    '',
    '| step | call | Telegram | sandbox | ms | ms, sandbox | differences |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    '## Differences',
    ...(differences.length === 0 ? ['None.'] : differences.map((text) => `- ${text}`)),
    '',
  ].join('\n');
}
