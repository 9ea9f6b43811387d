import type { Papers } from './accent.ts';

/** As `tokens.css` has them; a test compares. */
export const lightPapers: Papers = { paper: '#faf8f3', all: ['#faf8f3', '#fffefb', '#f2efe7'] };
export const darkPapers: Papers = { paper: '#181c21', all: ['#181c21', '#20252b', '#13171b'] };
