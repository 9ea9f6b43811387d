import { z } from 'zod';
import type { Shape } from './shape.ts';

/** Fields that many shapes share. Every moment is milliseconds since the epoch; every id is opaque. */
export const moment = z.number().int();
export const id = z.string().min(1).max(64);
export const role = z.enum(['person', 'administrator']);
export const effort = z.enum(['low', 'medium', 'high']);

export const title = z.string().trim().min(1).max(200);
export const personName = z.string().trim().min(1).max(120);
export const email = z.email().max(254);
export const newPassword = z.string().min(10).max(1024);

export const cursor = z.string().max(200).optional();
export const pageLimit = z.coerce.number<number>().int().min(1).max(200).optional();

/** Nothing to say beyond that it worked. */
export const done = z.object({ done: z.literal(true) });

export type Effort = Shape<typeof effort>;
export type Role = Shape<typeof role>;
