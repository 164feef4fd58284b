import type {Usage} from '../../history/item.ts';
import type {AnswerEvent} from './answer-event.ts';

/** Returns a word in a common form, so that `END_TURN`, `endTurn` and `end-turn` are equal. */
export function wordOf(raw: string): string {
	return raw
		.slice(0, maxRaw)
		.toLowerCase()
		.replaceAll(/[^a-z]/g, '')
		.replace(/^finishreason/, '');
}

/** The maximum length of a reason that is read and kept. */
export const maxRaw = 200;

/**
The finish reasons that say that the server failed. Sources: docs.mistral.ai/api (error), docs.bigmodel.cn
(network_error), api-docs.deepseek.com (insufficient_system_resource), docs.vllm.ai (abort). Gateways pass these words
on in the formats of other servers.
*/
export const errorWords: readonly string[] = `error errored networkerror insufficientsystemresource
	insufficientsystemresources abort aborted cancelled canceled servererror internalerror internalservererror
	engineerror engineoverloaded overloaded timeout failed failure unknownerror`.split(/\s+/);

/** Tells whether a finish reason says that the server failed. */
export function isErrorWord(reason: string | undefined): reason is string {
	return reason !== undefined && errorWords.includes(wordOf(reason));
}

/** Returns the finish of an answer whose server failed. The open parts of such an answer do not end. */
export function faultOf(reason: string, usage: Usage): AnswerEvent {
	return {type: 'finish', stop: 'error', raw: reason.slice(0, maxRaw), usage};
}
