import { z } from 'zod';
import { done, id, moment } from './fields.ts';
import type { RouteTable } from './route.ts';
import type { Shape } from './shape.ts';

export const folderName = z.string().trim().min(1).max(80);

/** Chats name the folder they are in. */
export const folder = z.object({ id, name: z.string(), createdAt: moment });

export const folderRoutes = {
  /** By name. */
  'GET /console/folders': {
    access: 'person',
    answer: 'json',
    response: z.object({ folders: z.array(folder) }),
  },
  'POST /console/folders': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ name: folderName }),
    response: folder,
  },
  'PATCH /console/folders/:folderId': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ name: folderName }),
    response: folder,
  },
  /** Its chats stay, in no folder. */
  'DELETE /console/folders/:folderId': { access: 'person', answer: 'json', response: done },
} as const satisfies RouteTable;

export type Folder = Shape<typeof folder>;
