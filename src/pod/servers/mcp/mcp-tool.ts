import {en, enCount} from '../../../language/index.ts';
import type {Tool, ToolOutput} from '../../../worker/index.ts';
import {errorOutput} from '../../ground/values/is-record.ts';
import type {McpServer} from './server.ts';
import {callQuestion} from './texts.ts';
import {inertLine} from './scrubber.ts';
import type {UsableTool} from './tool-filter.ts';
import {isRecord} from '../../ground/values/is-record.ts';
import type {CallToolResult} from '@ai-sdk/mcp';

/**
Creates the model's tool for a tool of a server. inkpod treats the tool like a command, whatever the server claims about
it. The server checks the arguments.
*/
export function mcpTool(name: string, server: McpServer, {listed, description, parameters}: UsableTool): Tool {
	const title = `${server.entry.name}: ${inertLine(listed, 80)}`;
	return {
		definition: {name, description, parameters},
		effect: 'execute',
		check: args => (isRecord(args) ? {ok: true, args} : {ok: false, message: en`they are not an object`}),
		preview: async args => ({title: callQuestion(title), detail: JSON.stringify(args, null, 2), shows: 'text'}),
		async execute(args, {signal}) {
			const answer = await server.call(listed, isRecord(args) ? args : {}, signal);
			return answer.ok ? outputOf(answer.result) : errorOutput(answer.sentence);
		},
	};
}

/**
Turns a server's answer into a result for the model. Texts stay unchanged. A short description replaces each image,
sound and resource.
*/
function outputOf(result: CallToolResult): ToolOutput {
	const content = textOf(result);
	const isError = result['isError'] === true;
	const bytes = Buffer.byteLength(content);
	return {summary: isError ? en`an error` : enCount(bytes, 'byte'), content, isError};
}

function textOf(result: CallToolResult): string {
	const parts = Array.isArray(result['content'])
		? (result['content'] as ReadonlyArray<Readonly<Record<string, unknown>>>)
		: [];
	if (parts.length > 0) return parts.map(partText).join('\n');
	const structured = result['structuredContent'] ?? result['toolResult'];
	return structured === undefined ? en`[no content]` : JSON.stringify(structured);
}

function partText(part: Readonly<Record<string, unknown>>): string {
	if (part['type'] === 'text') return String(part['text']);
	const inner = (
		typeof part['resource'] === 'object' && part['resource'] !== null ? part['resource'] : part
	) as Readonly<Record<string, unknown>>;
	const facts = [inner['uri'], inner['name'], inner['mimeType'], sizeOf(inner)]
		.filter(fact => typeof fact === 'string')
		.map(fact => inertLine(fact, 300));
	return `[${inertLine(String(part['type']), 40)}, not shown${facts.length === 0 ? '' : `: ${facts.join(', ')}`}]`;
}

function sizeOf({text, data, blob}: Readonly<Record<string, unknown>>): string | undefined {
	if (typeof text === 'string') return `${Buffer.byteLength(text)} bytes`;
	const encoded = data ?? blob;
	return typeof encoded === 'string' ? `${Buffer.byteLength(encoded, 'base64')} bytes` : undefined;
}
