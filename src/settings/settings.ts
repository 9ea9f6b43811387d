/**
 * Settings answer one question: which value holds for every knob, and who said so? The environment wins over
 * the file, the file over the default. Whatever is wrong is told at once, all of it, before anything starts.
 */
export { createCatalogueDesk, type SettingsSource } from './catalogue-desk.ts';
export { loadSettings, type LoadedSettings, type SettingsOrigin } from './load-settings.ts';
export { SettingsMistakes, type SettingsMistake } from './mistakes.ts';
export { shareCatalogue, type SharedCatalogue } from './shared-catalogue.ts';
export { reservedPaths } from './reserved-paths.ts';
export { settingsDocument } from './settings-document.ts';
export { settingsJsonSchema } from './settings-schema.ts';
export type { ProviderSettings, Settings } from './settings-shape.ts';
export { showSettings } from './show-settings.ts';
export { watchSettings, type SettingsWatch } from './watch-settings.ts';
