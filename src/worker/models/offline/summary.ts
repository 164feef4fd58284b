import type {ModelMessage, ModelRequest} from '../../model.ts';
import type {Call, Reply} from './call.ts';

/**
What the guide does when it is to summarise a conversation: it marks the latest files and lists what the person said,
cut short.
No understanding is claimed. `undefined`: the request asks for no summary.
*/
export function summaryReply({tools, messages}: ModelRequest): Reply | undefined {
	if (!tools.some(({name}) => name === 'write_summary')) return undefined;
	const task = messages.flatMap(message => (message.role === 'user' ? [message.text] : []))[0] ?? '';
	const made = messages.flatMap(message =>
		message.role === 'assistant'
			? message.parts.flatMap(part => (part.type === 'tool_call' ? [part.name] : []))
			: [],
	);
	if (made.length === 0)
		return {
			text: '',
			calls: [
				...filesIn(task)
					.slice(0, maxFiles)
					.map(path => ({name: 'mark_read_required', args: {path}})),
				{name: 'write_summary', args: {text: summaryOf(task)}},
			],
		};
	const refused = made.includes('add_reference') ? [] : refusedPaths(messages);
	return refused.length > 0
		? {text: '', calls: refused.map(path => ({name: 'add_reference', args: {path}}))}
		: {text: 'That is all that I can say of it.', calls: []};
}

const maxFiles = 3;
const maxPoints = 40;
const maxPointLength = 160;

/** The list of the task: `- "path" (how)`. */
function filesIn(task: string): readonly string[] {
	return [...task.matchAll(/^- ("(?:[^"\\]|\\.)*") \((?:attached|read|edited|read again)\)$/gm)].flatMap(
		([, text]) => {
			const path: unknown = JSON.parse(text!);
			return typeof path === 'string' ? [path] : [];
		},
	);
}

/** What was marked and is there, but too long to be read again. */
function refusedPaths(messages: readonly ModelMessage[]): readonly string[] {
	const wanted = new Map(
		messages
			.flatMap(message => (message.role === 'assistant' ? message.parts : []))
			.flatMap(part =>
				part.type === 'tool_call' && part.name === 'mark_read_required'
					? [[part.callId, pathOf(part.arguments)] as const]
					: [],
			),
	);
	const results = messages.flatMap(message => (message.role === 'tool' ? message.results : []));
	return results
		.filter(({isError, content}) => isError && content.includes('add_reference'))
		.flatMap(({callId}) => wanted.get(callId) ?? []);
}

function pathOf(args: string): string {
	const {path} = JSON.parse(args) as Call['args'];
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
	return [
		'*By the offline guide, which is no language model: what the person said, cut short.*',
		[
			...(points.length > maxPoints ? [`(${points.length - maxPoints} earlier points are left out)`] : []),
			...points.slice(-maxPoints),
		].join('\n') || '(The person said nothing.)',
		...(answers.length === 0
			? []
			: [`The last answer of ${answers.length} began: ${shortened(answers.at(-1)!.text)}`]),
	].join('\n\n');
}

/** Heads stand at the beginning of a line, what was said behind tabs. */
function entriesIn(task: string): ReadonlyArray<{readonly head: string; readonly text: string}> {
	return [...task.matchAll(/^\[([^\n]+)\]\n((?:\t[^\n]*(?:\n|$))+)/gm)].map(([, head, lines]) => ({
		head: head!,
		text: lines!.replaceAll(/^\t/gm, '').trimEnd(),
	}));
}

function shortened(text: string): string {
	const line = Array.from(
		text
			.replaceAll(/\s+/g, ' ')
			.trim()
			.slice(0, maxPointLength * 2),
	);
	return line.length > maxPointLength ? `${line.slice(0, maxPointLength).join('')}…` : line.join('');
}
