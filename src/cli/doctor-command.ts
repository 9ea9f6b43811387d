import { parseArgs } from 'node:util';
import { exitStatus, type Command } from './command.ts';
import type { Finding } from './doctor/finding.ts';
import { programVersion } from '../program-version.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Look for what is wrong and say what to do',
  usage: `Usage: gatehouse doctor [--quick] [--json] [--settings FILE]

Checks settings, certificate, ports, data folder, model files, engines, sign-in, open files and clock, beside
a running service or without one. Engines really generate a token each; an embedded model is loaded for it
when no service runs. Changes nothing. Ends with status 0, or 1 when there is a problem. Run it as the user
of the service, or as root.

  --quick          do not generate and do not load models
  --json           print the findings as JSON
  --settings FILE  read this file instead of gatehouse.yaml`,

  async run(args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        settings: { type: 'string' },
      },
    });
    const { examine } = await import('./doctor/examine.ts');
    const findings: Finding[] = [];
    await examine({
      settingsFile: values.settings,
      generates: !values.quick,
      tell(finding) {
        findings.push(finding);
        if (!values.json) process.stdout.write(inWords(finding));
      },
    });
    const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
    const problems = count('problem');
    const warnings = count('warning');
    process.stdout.write(
      values.json
        ? `${JSON.stringify({ version: programVersion(), problems, warnings, findings }, null, 2)}\n`
        : `${summary(problems, warnings)}\n`,
    );
    return problems === 0 ? 0 : exitStatus.failed;
  },
};

const stateWidth = 'problem'.length;

function inWords({ about, state, said, advice }: Finding): string {
  const line = `${state.padEnd(stateWidth)}  ${about}: ${said}\n`;
  return advice === undefined ? line : `${line}${' '.repeat(stateWidth + 2)}→ ${advice}\n`;
}

function summary(problems: number, warnings: number): string {
  const told = [
    problems === 0 ? '' : problems === 1 ? 'one problem' : `${problems} problems`,
    warnings === 0 ? '' : warnings === 1 ? 'one warning' : `${warnings} warnings`,
  ].filter((part) => part !== '');
  return told.length === 0
    ? 'All is well.'
    : `There ${problems + warnings === 1 ? 'is' : 'are'} ${told.join(' and ')}.`;
}
