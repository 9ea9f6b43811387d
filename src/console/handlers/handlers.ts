import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { ConsoleRoutes } from '#contract/routes';
import { createAccountHandlers } from './account-handlers.ts';
import { createAdministrationHandlers } from './administration-handlers.ts';
import { createAppearanceHandlers } from './appearance-handlers.ts';
import { createAuditHandlers } from './audit-handlers.ts';
import { createBulletinHandlers } from './bulletin-handlers.ts';
import { createCatalogueHandlers } from './catalogue-handlers.ts';
import { createChatHandlers } from './chat-handlers.ts';
import { createDocumentHandlers } from './document-handlers.ts';
import { createFeedbackHandlers } from './feedback-handlers.ts';
import { createFolderHandlers } from './folder-handlers.ts';
import { createGenerationHandlers } from './generation-handlers.ts';
import { createKeyHandlers } from './key-handlers.ts';
import { createOperationsHandlers } from './operations-handlers.ts';
import { createPersonAdministrationHandlers } from './person-administration-handlers.ts';
import { createPresetHandlers } from './preset-handlers.ts';
import { createProjectHandlers } from './project-handlers.ts';
import { createReceiptHandlers } from './receipt-handlers.ts';
import { createServiceHandlers } from './service-handlers.ts';
import { createSpaceHandlers } from './space-handlers.ts';
import { createSummaryHandlers } from './summary-handlers.ts';
import { createToolHandlers } from './tool-handlers.ts';
import { createUsageAdministrationHandlers } from './usage-administration-handlers.ts';
import { createUsageHandlers } from './usage-handlers.ts';

/** One handler for every route of the contract; the compiler counts them. */
export function createHandlers(parts: ConsoleParts): HandlersOf<ConsoleRoutes> {
  return {
    ...createAccountHandlers(parts),
    ...createKeyHandlers(parts),
    ...createServiceHandlers(parts),
    ...createChatHandlers(parts),
    ...createFolderHandlers(parts),
    ...createPresetHandlers(parts),
    ...createDocumentHandlers(parts),
    ...createGenerationHandlers(parts),
    ...createReceiptHandlers(parts),
    ...createFeedbackHandlers(parts),
    ...createSummaryHandlers(parts),
    ...createUsageHandlers(parts),
    ...createAdministrationHandlers(parts),
    ...createAuditHandlers(parts),
    ...createCatalogueHandlers(parts),
    ...createProjectHandlers(parts),
    ...createOperationsHandlers(parts),
    ...createPersonAdministrationHandlers(parts),
    ...createUsageAdministrationHandlers(parts),
    ...createBulletinHandlers(parts),
    ...createAppearanceHandlers(parts),
    ...createToolHandlers(parts),
    ...createSpaceHandlers(parts),
  };
}
