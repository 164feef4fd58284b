import {en} from '../../../language/index.ts';
import type {Tool} from '../../../worker/index.ts';
import {errorOutput} from '../../ground/values/tool-output.ts';
import {outputOf} from './result.ts';
import type {McpServer} from './server.ts';
import {callQuestion} from './texts.ts';
import {inertLine} from './inert-text.ts';
import type {UsableTool} from './tool-filter.ts';
import {isRecord} from '../../ground/values/is-record.ts';

/**
Creates the model's tool for a tool of a server. It counts as a command, whatever the server claims. The server checks
its arguments.
*/
export function mcpTool(name: string, server: McpServer, {listed, description, parameters}: UsableTool): Tool {
	const title = `${server.entry.name}: ${inertLine(listed, 80)}`;
	return {
		definition: {name, description, parameters},
		effect: 'execute',
		check: args => (isRecord(args) ? {ok: true, args} : {ok: false, message: en`they are no object`}),
		preview: async args => ({title: callQuestion(title), detail: JSON.stringify(args, null, 2), shows: 'text'}),
		async execute(args, {signal}) {
			const answer = await server.call(listed, isRecord(args) ? args : {}, signal);
			return answer.ok ? outputOf(answer.result) : errorOutput(answer.sentence);
		},
	};
}
