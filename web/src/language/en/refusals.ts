import type { RefusalCode } from '#contract/errors';
import type { RouteName } from '#contract/routes';
import { counted } from './counted.ts';

export interface RefusalWords {
  /** What each code of the service means for a person, wherever it comes up. */
  readonly codes: Readonly<Record<RefusalCode, string>>;
  /** What a code means at one place, where more can be said. */
  readonly places: Readonly<Partial<Record<RouteName | 'answer', Partial<Record<RefusalCode, string>>>>>;
  /** Fields that somebody filled in and the service would not take. */
  readonly fields: Readonly<Record<RefusedField, string>>;
  readonly again: (seconds: number) => string;
}

export type RefusedField =
  | 'name'
  | 'email'
  | 'password'
  | 'next'
  | 'current'
  | 'title'
  | 'networks'
  | 'models'
  | 'expiresAt'
  | 'content'
  | 'systemPrompt'
  | 'parameters'
  | 'id'
  | 'weight'
  | 'endsAt'
  | 'groups'
  | 'description'
  | 'emails'
  | 'limits';

export const enRefusals: RefusalWords = {
  codes: {
    invalid_request: 'The service could not do this as asked. Nothing was changed.',
    invalid_json: 'The service could not read what this page sent. Reload the page and try again.',
    invalid_parameter: 'The service did not accept what was entered. Check it and try again.',
    unsupported_parameter:
      'This model does not support one of the parameters of this chat. Clear it and try again.',
    context_length_exceeded:
      'This chat is longer than the model can read. Start a new chat, or choose a model with a larger context.',
    invalid_api_key: 'The key is not valid. Create a new one.',
    network_not_permitted: 'This is not possible from the network you are in.',
    sign_in_required: 'You are signed out. Sign in to go on.',
    permission_denied: 'You do not have permission to do this. Ask an administrator of this service.',
    model_not_permitted: 'You may not use this model. Choose another one.',
    foreign_origin: 'This page belongs to an earlier session. Reload it and try again.',
    not_found: 'It does not exist any more. It may have been deleted.',
    model_not_found: 'This model is not served any more. Choose another one.',
    stream_not_kept: 'This answer is no longer kept. Ask again.',
    method_not_allowed: 'This page is older than the service. Reload it and try again.',
    request_timeout: 'Sending took too long. Check your connection and try again.',
    conflict: 'This does not fit with what has changed in the meantime. Reload the page and try again.',
    storage_full:
      'Your chats and documents take all the room that you have here. Delete some; what is deleted counts until it is gone for good, after a day.',
    request_too_large: 'This is too large to send. Shorten it and try again.',
    unsupported_media_type: 'The service could not read what this page sent. Reload the page and try again.',
    insufficient_quota:
      'Your budget is used up, or what is left of it does not cover this. The usage page says when it renews and who can raise it.',
    project_ended: 'This project has ended. Choose another one, or ask an administrator to extend it.',
    rate_limit_exceeded: 'That was too much at once.',
    queue_full: 'Too many people are waiting for this model right now.',
    headers_too_large: 'The browser sent too much along. Delete the cookies of this site and sign in again.',
    access_withdrawn:
      'Your access was withdrawn while this was running. Ask an administrator of this service.',
    internal_error: 'Something went wrong in the service. Try again; if it stays, tell whoever runs it.',
    not_supported_by_engine: 'This model cannot do this. Choose another one.',
    engine_failed: 'The model failed while answering. Try again, or choose another one.',
    engine_unavailable: 'The model does not answer at the moment. Try again soon, or choose another one.',
    usage_unwritable:
      'The service cannot write down usage at the moment and takes no questions. Try again later.',
    database_unavailable:
      'The database cannot be reached at the moment. Nothing is lost; try again in a moment.',
    service_overloaded: 'The service is overloaded at the moment. Try again in a few seconds.',
    shutting_down: 'The service is being restarted. Try again in a minute.',
    engine_timeout: 'The model took too long to answer. Try again, or choose another one.',
  },
  places: {
    answer: {
      invalid_request: 'The model could not read this chat. Edit the last message, or choose another model.',
      invalid_parameter:
        'The model did not accept a parameter of this chat. Change it under Instructions and parameters.',
      request_too_large: 'This chat is too large to send. Start a new one.',
      rate_limit_exceeded:
        'A limit that holds for you is reached. Try again in a moment. The usage page says which limits you have and who can raise them.',
      internal_error: 'The answer failed because of a mistake in the service. Answer again.',
    },
    'POST /console/sign-in/password': {
      sign_in_required: 'The e-mail address or the password is not right. Check both and try again.',
      permission_denied: 'This account cannot sign in here: it is disabled or waits for an administrator.',
      rate_limit_exceeded: 'Too many failed sign-ins.',
    },
    'POST /console/sign-in/link': {
      sign_in_required: 'This sign-in link was used before or has expired. Ask for a new one.',
      permission_denied: 'This account cannot sign in here: it is disabled or waits for an administrator.',
    },
    'POST /console/invitation/preview': {
      not_found: 'This invitation was used before, withdrawn or has expired. Ask for a new one.',
    },
    'POST /console/invitation/accept': {
      not_found: 'This invitation was used before, withdrawn or has expired. Ask for a new one.',
      conflict: 'There is already an account with this e-mail address.',
    },
    'GET /console/chats/:chatId': { not_found: 'There is no such chat. It may have been deleted.' },
    'GET /console/shared/:shareId': {
      not_found: 'This link does not work any more. Ask the person who shared it for a new one.',
    },
    'POST /console/generations': {
      conflict: 'The answer above is still being written. Wait for it or stop it first.',
      rate_limit_exceeded: 'Too many of your answers are being written right now. Wait for one, or stop one.',
    },
    'POST /console/generations/temporary': {
      rate_limit_exceeded: 'Too many of your answers are being written right now. Wait for one, or stop one.',
    },
    'DELETE /console/chats/:chatId/messages/:messageId': {
      conflict: 'The answer is still being written. Wait for it or stop it first.',
    },
    'POST /console/chats/import': {
      invalid_parameter:
        'This file is not a chat export, or a part of it cannot be read. Nothing was imported.',
      invalid_request: 'These chats cannot be imported: they are too many, or damaged. Nothing was imported.',
      request_too_large: 'This file is too large to import. Export fewer chats at a time.',
    },
    'POST /console/keys': {
      conflict: 'You have as many keys as this service allows. Revoke one that you no longer need first.',
    },
    'POST /console/keys/:keyId/rotate': {
      conflict: 'This key was already replaced, revoked or has expired. Create a new one.',
    },
    'PUT /console/projects/:projectId/members': {
      not_found: 'Nobody here has this e-mail address. Invite the person first.',
    },
    'DELETE /console/projects/:projectId/members/:personId': {
      conflict: 'They are a member by a group of the sign-in provider. Take them out of the group there.',
    },
    'POST /console/administration/projects': {
      conflict: 'There is a project with this id already. Choose another one.',
    },
    'PATCH /console/administration/projects/:projectId': {
      conflict: 'This project is written in the settings file of the service. Change it there.',
    },
    'PATCH /console/administration/appearance': {
      conflict: 'This is written in the settings file of the service. Change it there.',
    },
    'DELETE /console/administration/people/:personId': {
      conflict: 'Disable the account first. You cannot remove yourself.',
    },
    'PATCH /console/administration/people/:personId': {
      conflict: 'You cannot change your own access. Ask another administrator.',
    },
  },
  fields: {
    name: 'Choose a name that is not empty and not too long.',
    email: 'Use the e-mail address that the invitation is for, spelled correctly.',
    password: 'Choose a password of at least ten characters.',
    next: 'Choose a password of at least ten characters.',
    current: 'The current password is not right.',
    title: 'Choose a name of at most 200 characters.',
    networks:
      'One of the networks cannot be read. Write them like 192.0.2.0/24 or 2001:db8::/32, one per line.',
    models: 'One of the models is not served here.',
    expiresAt: 'Keys of this service may not live so long. Choose an earlier expiry.',
    content: 'This message is too long. Shorten it and try again.',
    systemPrompt: 'The instructions are too long. Shorten them and try again.',
    id: 'Use lower-case letters, digits and dashes for the id, such as genomics.',
    weight: 'The weight is a number from 0.01 to 1000.',
    endsAt: 'Choose a day in the future.',
    groups: 'One of the groups is too long or cannot be read.',
    description: 'The description is one line of at most 500 characters.',
    emails: 'One of the addresses cannot be read. Nobody was invited.',
    limits: 'Limits are numbers from 0 upwards; only budgets may have fractions.',
    parameters: 'One of the parameters is out of range. Change it under Instructions and parameters.',
  },
  again: (seconds) =>
    seconds < 90
      ? counted(seconds, { one: 'Try again in one second.', other: 'Try again in # seconds.' })
      : counted(Math.ceil(seconds / 60), {
          one: 'Try again in one minute.',
          other: 'Try again in # minutes.',
        }),
};
