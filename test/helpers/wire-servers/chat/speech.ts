import type {DialectName} from '../../../../src/worker/wires/dialects.ts';
import type {Speech} from '../speech.ts';
import {chatFrames} from './answer.ts';
import {chatServers} from './chat-server.ts';
import {refuseChat} from './refuse.ts';

/** Speaks chat completions like the servers of a dialect. */
export function chatSpeech(dialect: DialectName): Speech {
	const server = chatServers[dialect];
	return {
		path: server.path ?? /^\/v1\/chat\/completions$/,
		refusalStatus: server.status ?? 400,
		refuse: ({body}, ledger) => refuseChat(server, body, ledger),
		frames: (answer, n, ledger) => chatFrames(server.answers, answer, n, ledger),
		errorBody: (status, message) => ({error: {message, type: 'invalid_request_error', code: status}}),
		errorFrame: (status, message) => `data: ${JSON.stringify({error: {message, code: status}})}\n\n`,
	};
}
