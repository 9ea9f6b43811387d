/** Limits that the page and the server share; without the schemas, so that they weigh nothing in the page. */

/** How much of an original is sent at once. */
export const documentPartBytes = 1024 * 1024;
/** Documents that one question brings. */
export const maxDocumentsPerMessage = 20;
/** Pictures that models and browsers know; a page turns all others into one of these. */
export const pictureTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
