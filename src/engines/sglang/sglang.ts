import { answerId, commonAddress, type EngineKindRules } from '../engine-kind.ts';

/**
 * SGLang refuses explicit nulls where it has no optional field, takes its answer's id from `rid`, and in several
 * releases keeps generating after a closed socket: a generation is aborted by its `rid` before the socket closes.
 */
export const sglangRules: EngineKindRules = {
  addressOf: commonAddress,
  adjustBody(edits, route) {
    const { arrival } = route.ticket;
    for (const [name, field] of arrival.envelope.fields) {
      if (field.kind === 'null') edits.set(name, undefined);
    }
    if (arrival.endpoint === 'chat/completions' || arrival.endpoint === 'completions') {
      edits.set('rid', JSON.stringify(answerId(route)));
    }
  },
  takesRequestIdHeader: false,
  speaksPublicForm: false,
  abortCall: (route) => ({ address: '/abort_request', body: JSON.stringify({ rid: answerId(route) }) }),
};
