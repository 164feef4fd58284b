import {en, enCount} from '../../../language/index.ts';
import type {CallToolResult} from '@ai-sdk/mcp';
import type {ToolOutput} from '../../../worker/index.ts';
import {inertLine} from './inert-text.ts';

/**
Turns a server's answer into a result for the model. Texts stay unchanged. Pictures, sounds and resources are replaced
by their names.
*/
export function outputOf(result: CallToolResult): ToolOutput {
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
