import type {Model, ModelRequest} from '../../history/model.ts';
import type {Answer} from '../script.ts';
import {requestHash, scriptedModel} from '../scripted.ts';
import {code, cut} from './markdown.ts';
import {examples, requestIn, type Call, type PlainRequest} from './requests.ts';
import {reportAttachment, reportNotification, reportStep} from './reports.ts';
import {readTurn, type Turn, callsIn, textsOf} from './turn.ts';
import {parseJson} from '../values.ts';

/**
Creates the built-in guide, which needs no language model, key or network: it follows a table of simple requests, and
reports what is in its context. The same request always gets the same answer. `delayMs`: the pause before each piece of
the stream. `chunk`: the number of code points in a piece.
*/
export function offlineModel({delayMs = 12, chunk = 16} = {}): Model {
	return scriptedModel(answerTo, {name: 'offline', delayMs, chunk});
}

function answerTo(request: ModelRequest): Answer {
	const {text, calls} = replyTo(request);
	const hash = requestHash(request).slice(0, 12);
	return [
		...(text === '' ? [] : [{type: 'text', text} as const]),
		...calls.map(
			({name, args}, index) =>
				({type: 'tool_call', name, arguments: args, callId: `offline_${hash}_${index + 1}`}) as const,
		),
	];
}

/** An answer of the guide. An answer without calls ends the turn. */
type Reply = {readonly text: string; readonly calls: readonly Call[]};

function replyTo(request: ModelRequest): Reply {
	const summary = summaryCalls(request);
	if (summary !== undefined) return {text: summary.length === 0 ? 'The summary is written.' : '', calls: summary};
	const turn = readTurn(request);
	if (turn.notifications.length > 0)
		return {text: turn.notifications.map(reportNotification).join('\n\n'), calls: []};
	const plain = requestIn(turn.message, turn.attachments);
	const {calls, reports} = plain === undefined ? {calls: [], reports: []} : progress(plain, turn);
	if (calls.length > 0) return {text: turn.steps.length === 0 ? announce(plain?.row.doing ?? '', calls) : '', calls};
	const parts = [...turn.unresolved.map(notAttached), ...reports, ...turn.attachments.map(reportAttachment)];
	if (parts.length === 0) return {text: introduce(turn), calls};
	return {text: [...parts, ...(turn.isFirst ? [note] : [])].join('\n\n'), calls};
}

type Progress = {readonly calls: readonly Call[]; readonly reports: readonly string[]};

/** Returns the calls that the request still needs, or the reports of their results. */
function progress({row: {tools, change}, parts, calls}: PlainRequest, {steps, offered}: Turn): Progress {
	const missing = tools.find(name => !offered.has(name));
	if (missing !== undefined && calls.length > 0) return {calls: [], reports: [toolMissing(missing)]};
	if (steps.length < calls.length) return {calls: calls.slice(steps.length), reports: []};
	const [read] = steps;
	if (change === undefined || read === undefined || read.isError) return {calls: [], reports: steps.map(reportStep)};
	if (steps.length > 1) return {calls: [], reports: steps.slice(1).map(reportStep)};
	const next = change(parts, read);
	return typeof next === 'string' ? {calls: [], reports: [next]} : {calls: [next], reports: []};
}

function announce(doing: string, calls: readonly Call[]): string {
	const subjects = calls.map(({args}) => code(String(args['pattern'] ?? args['command'] ?? args['path'])));
	return `${doing} ${subjects.join(', ')} …`;
}

const note = "*I'm the offline guide: rules, not an AI model. `/login` or `/model` in the chat connects a real one.*";

function introduce({message, offered}: Turn): string {
	const isGreeting = /^\s*(?:hi|hello|hey|good (?:morning|day|evening)|こんにちは|你好|hallo|bonjour)(?!\w)/i.test(
		message,
	);
	return [
		isGreeting ? "Hello! I'm the offline guide." : "I'm the offline guide.",
		[
			"I'm a rule-based guide, not an AI model, and I didn't understand that.",
			'I need no key and no network, and I only report what is in this conversation. What I can do:',
		].join(' '),
		['outline what you attach: type `@` and pick a file, or `/` and pick a workflow', ...examples(offered)]
			.map(text => `- ${text}`)
			.join('\n'),
		[
			'To connect a real model, type `/login` to save a key, or `/model` to choose one: the list includes the',
			'models of Ollama and LM Studio on this machine. Or set `ANTHROPIC_API_KEY`, `OPENAI_API_KEY`,',
			'`GEMINI_API_KEY` or `OPENROUTER_API_KEY` and start inkpod again, or name a model with',
			'`inkpod --model provider/name`.',
		].join(' '),
	].join('\n\n');
}

function notAttached(path: string): string {
	return `I could not see ${code(path)}, because it could not be attached.`;
}

function toolMissing(name: string): string {
	return `That needs the tool ${code(name)}, which this session does not offer. Nothing was done.`;
}

/**
Returns the calls that answer a request for a summary: they mark the latest files, and list the user's shortened
messages. The guide does not claim to understand the messages. Returns no calls if these calls were already made, and
`undefined` if the request does not ask for a summary.
*/
function summaryCalls({tools, messages}: ModelRequest): readonly Call[] | undefined {
	if (!tools.some(({name}) => name === 'write_summary')) return undefined;
	if (callsIn(messages).length > 0) return [];
	const [task = ''] = textsOf(messages);
	const files = task.matchAll(/^- ("(?:[^"\\]|\\.)*") \((?:attached|read|edited|read again)\)$/gm);
	const marks = Array.from(files, ([, path = '']) => ({name: 'mark_read_required', args: {path: parseJson(path)}}));
	return [...marks.slice(0, 3), {name: 'write_summary', args: {text: summaryOf(task)}}];
}

const maxPoints = 40;

/** In the task, a heading begins a line, and the text of a section is indented with tabs. */
function summaryOf(task: string): string {
	const points = Array.from(task.matchAll(/^\[([^\n]+)\]\n((?:\t[^\n]*(?:\n|$))+)/gm)).flatMap(
		([, head = '', section = '']) => {
			const lines = section.split('\n').map(line => line.slice(1));
			if (head.startsWith('Summary')) return lines.filter(line => line.startsWith('- '));
			return head === 'The user says' ? [`- ${cut(lines.join(' ').trim(), 160)}`] : [];
		},
	);
	const omitted = points.length > maxPoints ? [`(${points.length - maxPoints} earlier points are left out)`] : [];
	return [
		'*By the offline guide, which is not an AI model: your messages, shortened.*\n',
		...(points.length === 0 ? ['(There are no messages.)'] : [...omitted, ...points.slice(-maxPoints)]),
	].join('\n');
}
