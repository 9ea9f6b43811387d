/** The project that everybody is in: the server calls it so. */
export const everyone = 'everyone';
