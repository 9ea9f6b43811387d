import { announcementsCommand } from './announcements-command.ts';
import { appearanceCommand } from './appearance-command.ts';
import { auditCommand } from './audit-command.ts';
import { backupCommand } from './backup-command.ts';
import { catalogueCommand } from './catalogue-command.ts';
import type { Command } from './command.ts';
import { databaseCommand } from './database-command.ts';
import { doctorCommand } from './doctor-command.ts';
import { engineCommand } from './engine-command.ts';
import { feedbackCommand } from './feedback-command.ts';
import { incidentsCommand } from './incidents-command.ts';
import { keysCommand } from './keys-command.ts';
import { limitsCommand } from './limits-command.ts';
import { modelsCommand } from './models-command.ts';
import { peopleCommand } from './people-command.ts';
import { presetsCommand } from './presets-command.ts';
import { projectsCommand } from './projects-command.ts';
import { restartCommand } from './restart-command.ts';
import { restoreCommand } from './restore-command.ts';
import { settingsCommand } from './settings-command.ts';
import { startCommand } from './start-command.ts';
import { statusCommand } from './status-command.ts';
import { usageCommand } from './usage-command.ts';
import { verifyCommand } from './verify-command.ts';

/** In the order in which the help shows them. Commands load the rooms they need when they run. */
export const commands: readonly Command[] = [
  startCommand,
  restartCommand,
  statusCommand,
  doctorCommand,
  peopleCommand,
  keysCommand,
  projectsCommand,
  limitsCommand,
  usageCommand,
  feedbackCommand,
  presetsCommand,
  announcementsCommand,
  incidentsCommand,
  appearanceCommand,
  auditCommand,
  verifyCommand,
  backupCommand,
  restoreCommand,
  databaseCommand,
  catalogueCommand,
  modelsCommand,
  engineCommand,
  settingsCommand,
];
