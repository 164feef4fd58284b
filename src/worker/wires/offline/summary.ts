import type {ModelMessage, ModelRequest} from '../../history/model.ts';
import {parseJson} from '../values.ts';
import type {Reply} from './call.ts';
import {lastAnswer, noMessages, nothingToAdd, pointsLeftOut, summaryNote} from './texts.ts';
import {argumentsOf} from './turn.ts';

/**
Returns the guide's answer to a request for a summary. The answer marks the latest files and lists the user's messages,
shortened. The guide does not claim to understand them. Returns `undefined` if the request does not ask for a summary.
*/
export function summaryReply({tools, messages}: ModelRequest): Reply | undefined {
	if (!tools.some(({name}) => name === 'write_summary')) return undefined;
	const task = messages.flatMap(message => (message.role === 'user' ? [message.text] : []))[0] ?? '';
	const made = callsIn(messages).map(({name}) => name);
	if (made.length === 0) return {text: '', calls: [...markedFiles(task), summaryCall(task)]};
	const refused = made.includes('add_reference') ? [] : refusedPaths(messages);
	return refused.length > 0
		? {text: '', calls: refused.map(path => ({name: 'add_reference', args: {path}}))}
		: {text: nothingToAdd, calls: []};
}

const maxFiles = 3;
const maxPoints = 40;
const maxPointLength = 160;

function markedFiles(task: string): Reply['calls'] {
	return filesIn(task)
		.slice(0, maxFiles)
		.map(path => ({name: 'mark_read_required', args: {path}}));
}

function summaryCall(task: string): Reply['calls'][number] {
	return {name: 'write_summary', args: {text: summaryOf(task)}};
}

function callsIn(messages: readonly ModelMessage[]) {
	const parts = messages.flatMap(message => (message.role === 'assistant' ? message.parts : []));
	return parts.filter(part => part.type === 'tool_call');
}

/** Matches the list in the task: `- "path" (how)`. */
function filesIn(task: string): readonly string[] {
	const lines = task.matchAll(/^- ("(?:[^"\\]|\\.)*") \((?:attached|read|edited|read again)\)$/gm);
	return [...lines].flatMap(([, written = '']) => {
		const path = parseJson(written);
		return typeof path === 'string' ? [path] : [];
	});
}

/** Returns the marked files that exist and are too long to be read again. */
function refusedPaths(messages: readonly ModelMessage[]): readonly string[] {
	const marked = new Map(
		callsIn(messages)
			.filter(({name}) => name === 'mark_read_required')
			.map(call => [call.callId, pathOf(call.arguments)]),
	);
	const results = messages.flatMap(message => (message.role === 'tool' ? message.results : []));
	return results
		.filter(({isError, content}) => isError && content.includes('add_reference'))
		.flatMap(({callId}) => marked.get(callId) ?? []);
}

function pathOf(written: string): string {
	const {path} = argumentsOf(written);
	return typeof path === 'string' ? path : '';
}

function summaryOf(task: string): string {
	const entries = entriesIn(task);
	const earlier = entries.flatMap(({head, text}) =>
		head.startsWith('Summary') ? text.split('\n').filter(line => line.startsWith('- ')) : [],
	);
	const said = entries.flatMap(({head, text}) => (head === 'The person says' ? [`- ${shortened(text)}`] : []));
	const points = [...earlier, ...said];
	const answers = entries.filter(({head}) => head === 'The agent says');
	const leftOut = points.length > maxPoints ? [pointsLeftOut(points.length - maxPoints)] : [];
	return [
		summaryNote,
		[...leftOut, ...points.slice(-maxPoints)].join('\n') || noMessages,
		...answers.slice(-1).map(({text}) => lastAnswer(answers.length, shortened(text))),
	].join('\n\n');
}

/** In the task, a heading begins a line, and the text of a section is indented with tabs. */
function entriesIn(task: string): ReadonlyArray<{readonly head: string; readonly text: string}> {
	const entries = task.matchAll(/^\[([^\n]+)\]\n((?:\t[^\n]*(?:\n|$))+)/gm);
	return [...entries].map(([, head = '', lines = '']) => ({head, text: lines.replaceAll(/^\t/gm, '').trimEnd()}));
}

function shortened(text: string): string {
	const beginning = text
		.replaceAll(/\s+/g, ' ')
		.trim()
		.slice(0, maxPointLength * 2);
	const line = Array.from(beginning);
	return line.length > maxPointLength ? `${line.slice(0, maxPointLength).join('')}…` : line.join('');
}
