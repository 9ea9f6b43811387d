/** Limits that the page and the server share; without the schemas, so that they weigh nothing in the page. */

/** How much of an original is sent at once. */
export const documentPartBytes = 1024 * 1024;
/** Documents that one question brings. */
export const maxDocumentsPerMessage = 20;
