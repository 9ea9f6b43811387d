import type { StoredDocument } from '#vocabulary/documents';
import { Refusal } from '#vocabulary/refusal';
import { pictureTypes } from '#contract/document-limits';
import type { documentRoutes } from '#contract/documents';
import { askerOf } from '../actor-of.ts';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';

export function createDocumentHandlers({
  documents,
  conversations,
}: ConsoleParts): HandlersOf<typeof documentRoutes> {
  const { spaces } = conversations;
  return {
    'POST /console/documents': async ({ session, device, body }) => {
      if (body.projectId !== undefined) spaces.requireKeeper(askerOf(session, device), body.projectId);
      return viewDocument(await documents.begin(session.person.id, body));
    },

    'PUT /console/documents/:documentId/original/:part': async ({ session, parameters, body }) => {
      const { documentId, part } = parameters;
      await documents.addPart(session.person.id, documentId, readPart(part), body);
      return { done: true };
    },

    'POST /console/documents/:documentId/pages': async ({ session, parameters, body }) => {
      await documents.addPages(session.person.id, parameters.documentId, body.pages);
      return { done: true };
    },

    'POST /console/documents/:documentId/complete': async ({ session, device, parameters, body }) => {
      const { documentId } = parameters;
      const asker = askerOf(session, device);
      const { projectId } = await documents.read(session.person.id, documentId);
      if (projectId !== undefined) spaces.requireKeeper(asker, projectId);
      const document = await documents.complete(session.person.id, documentId, body);
      if (projectId !== undefined) await spaces.documentAdded(asker, document);
      return viewDocument(document);
    },

    'GET /console/documents/:documentId': async ({ session, parameters }) =>
      viewDocument(await documents.read(session.person.id, parameters.documentId)),

    'GET /console/documents/:documentId/pages': ({ session, parameters, query }) =>
      documents.readPages(session.person.id, parameters.documentId, query.from),

    'GET /console/documents/:documentId/original': async ({ session, parameters }) => {
      const { document, content } = await documents.readOriginal(session.person.id, parameters.documentId);
      const { name: fileName, mediaType } = document;
      // Everything but a picture is only ever saved, never shown under a type of its own.
      const contentType = pictureTypes.includes(mediaType) ? mediaType : 'application/octet-stream';
      return { fileName, contentType, content };
    },

    'DELETE /console/documents/:documentId': async ({ session, parameters }) => {
      await documents.remove(session.person.id, parameters.documentId);
      return { done: true };
    },
  };
}

function readPart(part: string): number {
  if (/^\d{1,6}$/.test(part)) return Number(part);
  throw new Refusal('invalid_parameter', 'Parts of a file are counted from 0.', { param: 'part' });
}

export function viewDocument({ personId: _owner, projectId: _project, ...document }: StoredDocument) {
  return document;
}
