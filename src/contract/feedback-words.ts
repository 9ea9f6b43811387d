/** One word may say why; a closed list, so that nobody's words are read by others. */
export const feedbackWords = {
  good: ['right', 'clear', 'useful'],
  bad: ['wrong', 'incomplete', 'unclear', 'refused'],
} as const;
