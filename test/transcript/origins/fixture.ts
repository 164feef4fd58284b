import type {Item, ToolCall} from '../../../src/pod/protocol.ts';
import {createOrigins} from '../../../src/transcript/origins/origins.ts';
import {blocksOf, createTranscript, reduce, type Transcript} from '../../../src/transcript/state.ts';

let count = 0;

export function item(type: string, fields: object): Item {
	return {id: `i${++count}`, at: '2026-01-01T00:00:00.000Z', type, ...fields} as Item;
}

export function user(text: string): Item {
	return item('message', {role: 'user', text, origin: {kind: 'submit', segments: []}});
}

export function answer(text: string): Item {
	return item('message', {role: 'assistant', text});
}

/** A file that the user attached. `first` is the number of its first line. */
export function attached(path: string, body: string, first?: number): Item {
	return item('message', {
		role: 'system',
		text: `<file path="${path}">\n${body}`,
		origin: {
			...{kind: 'file', path, bytes: 1, totalBytes: 1, lines: 1, truncated: false, sha256: 'a', mtimeMs: 1},
			...(first !== undefined && {range: {first}}),
		},
	});
}

export function call(name: string, args: object): ToolCall {
	return item('tool_call', {callId: `c${++count}`, name, arguments: JSON.stringify(args)}) as ToolCall;
}

/** A call and its result. */
export function answered(name: string, args: object, content: string, details?: object): readonly Item[] {
	const made = call(name, args);
	return [
		made,
		item('tool_result', {
			...{callId: made.callId, summary: '', content, isError: false, ms: 1},
			...(details !== undefined && {details}),
		}),
	];
}

export function bash(command: string): ToolCall {
	return call('bash', {command});
}

export function transcriptOf(items: readonly Item[]): Transcript {
	const transcript = createTranscript();
	const session = {id: 's', model: 'a/b', scope: {pwd: '/work', writable: true}};
	const status = {kind: 'idle', asks: [], queue: []};
	reduce(transcript, {type: 'snapshot', session, items, tail: [], status} as never);
	return transcript;
}

/** Returns the marks of the last call after these items. */
export function marks(before: readonly Item[], last: ToolCall): readonly string[] {
	const blocks = blocksOf(transcriptOf([...before, last]));
	const index = blocks.findLastIndex(block => block.kind === 'tool' && block.call?.id === last.id);
	const origins = createOrigins(() => blocks);
	origins.read();
	return origins.of(last, index, '/work');
}
