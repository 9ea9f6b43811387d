import { countedIn } from '../counted.ts';

export const counted = countedIn<'one' | 'few' | 'many'>('uk');
