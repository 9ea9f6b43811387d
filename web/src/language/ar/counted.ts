import { countedIn } from '../counted.ts';

export const counted = countedIn<'zero' | 'one' | 'two' | 'few' | 'many'>('ar');
