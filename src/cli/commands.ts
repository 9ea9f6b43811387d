import type { Command } from './command.ts';
import { settingsCommand } from './settings-command.ts';

/** In the order in which the help shows them. */
export const commands: readonly Command[] = [settingsCommand];
