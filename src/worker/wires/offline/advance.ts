import type {Call} from './call.ts';
import type {GuideAct} from './guide-tools.ts';
import type {Intent} from './intent.ts';
import {code} from './markdown.ts';
import {reportError, reportFile, reportList, reportRead, reportReplaced, reportSearch, reportStep} from './report.ts';
import {nothingToReplace, toolMissing} from './texts.ts';
import type {Step, Turn} from './turn.ts';

type Progress = {readonly calls: readonly Call[]; readonly reports: readonly string[]};

/**
Follows the intents as far as the finished steps of the turn allow. Returns reports of the finished intents, and the
next calls.
*/
export function advance(intents: readonly Intent[], turn: Turn): Progress {
	const reports: string[] = [];
	const calls: Call[] = [];
	let steps = turn.steps;
	for (const intent of intents) {
		const isReading = readingIntents.has(intent.kind);
		if (calls.length > 0 && !isReading) break;
		const move = nextMove(intent, steps, turn);
		if (move.type === 'calls') {
			const next = move.calls.map(({act, args}) => ({name: toolName(act, turn), args}));
			const missing = next.find(({name}) => !turn.offered.has(name));
			if (missing === undefined) calls.push(...next);
			else reports.push(toolMissing(missing.name));
			if (!isReading) break;
			continue;
		}
		if (move.text !== '') reports.push(move.text);
		steps = steps.slice(move.used);
		if (!move.isDone && !isReading) break;
	}
	return {calls, reports};
}

/** These intents have no effects. The guide makes the calls for these intents together. */
const readingIntents: ReadonlySet<Intent['kind']> = new Set(['list', 'search', 'read']);

type ActCall = {readonly act: GuideAct; readonly args: Call['args']};

type Move =
	| {readonly type: 'calls'; readonly calls: readonly ActCall[]}
	/** `used` is the number of steps that the intent took. If the intent failed, the guide makes no later changes. */
	| {readonly type: 'report'; readonly text: string; readonly used: number; readonly isDone: boolean};

type IntentOf<Kind extends Intent['kind']> = Extract<Intent, {kind: Kind}>;

function nextMove(intent: Intent, steps: readonly Step[], turn: Turn): Move {
	const [step] = steps;
	if (intent.kind === 'list') return listMove(intent, step, turn);
	if (intent.kind === 'search') return searchMove(intent, step);
	if (intent.kind === 'read') return readMove(intent, steps, turn);
	if (intent.kind === 'replace') return replaceMove(intent, steps, turn);
	if (intent.kind === 'write') return writeMove(intent, step);
	return runMove(intent, step);
}

function listMove(intent: IntentOf<'list'>, step: Step | undefined, turn: Turn): Move {
	const {pattern, path} = intent;
	if (path !== undefined && isAttachedDir(path, turn)) return {type: 'report', text: '', used: 0, isDone: true};
	return step === undefined
		? call('list', {pattern, ...(path === undefined ? {} : {path})})
		: report(reportList(intent, step), step);
}

function searchMove(intent: IntentOf<'search'>, step: Step | undefined): Move {
	if (step !== undefined) return report(reportSearch(intent, step), step);
	const {pattern, path, glob, output} = intent;
	return call('search', {
		pattern,
		...(path === undefined ? {} : {path}),
		...(glob === undefined ? {} : {glob}),
		output,
	});
}

function writeMove({path, content}: IntentOf<'write'>, step: Step | undefined): Move {
	return step === undefined
		? call('write', {path, content})
		: report(reportStep(`${code(step.name)} on ${code(path)}`, step), step);
}

function runMove({command}: IntentOf<'run'>, step: Step | undefined): Move {
	return step === undefined ? call('run', {command}) : report(reportStep(code(command), step), step);
}

const maxReads = 8;

function readMove({targets}: IntentOf<'read'>, steps: readonly Step[], turn: Turn): Move {
	const attached = turn.files.filter(file => file.isNew && targets.some(({path}) => path === file.path));
	const wanted = targets
		.filter(({path}) => !attached.some(file => file.path === path) && !isAttachedDir(path, turn))
		.slice(0, maxReads);
	const read = steps.slice(0, wanted.length);
	if (read.length < wanted.length) return {type: 'calls', calls: wanted.map(readCall)};
	return {
		type: 'report',
		text: [...attached.map(reportFile), ...read.map(reportRead)].join('\n\n'),
		used: read.length,
		isDone: !read.some(({isError}) => isError),
	};
}

function readCall({path, first, last}: IntentOf<'read'>['targets'][number]): ActCall {
	const offset = first === undefined ? {} : {offset: first};
	const limit = first === undefined || last === undefined ? {} : {limit: last - first + 1};
	return {act: 'read', args: {path, ...offset, ...limit}};
}

/**
Returns the next step of a replacement: the guide reads the file before it edits. If the file does not contain the text,
the guide reports that and does not try an edit.
*/
function replaceMove(intent: IntentOf<'replace'>, steps: readonly Step[], turn: Turn): Move {
	const {path} = intent;
	const attached = turn.files.findLast(file => file.isNew && file.path === path);
	if (attached !== undefined)
		return editMove(intent, {text: attached.body, isWhole: !attached.isPartial, used: 0}, steps);
	const [read, ...rest] = steps;
	if (read === undefined) return turn.offered.has(toolName('edit', turn)) ? call('read', {path}) : call('edit', {});
	if (read.isError) return {type: 'report', text: reportError(read), used: 1, isDone: false};
	const isWhole = !/\n\[\.\.\.truncated[^\n]*\]$/.test(read.content);
	return editMove(intent, {text: withoutNumbers(read.content), isWhole, used: 1}, rest);
}

type KnownFile = {readonly text: string; readonly isWhole: boolean; readonly used: number};

function editMove(
	{path, old, new: fresh}: IntentOf<'replace'>,
	{text, isWhole, used}: KnownFile,
	[edit]: readonly Step[],
): Move {
	const count = text.split(old).length - 1;
	if (edit !== undefined) {
		const facts = {old, fresh, path, count: isWhole ? count : undefined};
		return {type: 'report', text: reportReplaced(facts, edit), used: used + 1, isDone: !edit.isError};
	}
	if (count === 0 && isWhole) return {type: 'report', text: nothingToReplace(old, path), used, isDone: false};
	const all = count === 1 && isWhole ? {} : {all: true};
	return call('edit', {path, edits: [{old, new: fresh, ...all}]});
}

/** The report of attachments already covers an attached directory. */
function isAttachedDir(path: string, turn: Turn): boolean {
	return turn.dirs.some(dir => dir.path.replace(/\/$/, '') === path.replace(/\/$/, ''));
}

/** Returns only the lines of the file, without the header and notes of the result. */
function withoutNumbers(content: string): string {
	return content
		.split('\n')
		.flatMap(row => /^ *\d+\t(?<line>[^]*)$/.exec(row)?.groups?.['line'] ?? [])
		.join('\n');
}

function call(act: GuideAct, args: Call['args']): Move {
	return {type: 'calls', calls: [{act, args}]};
}

/** Returns the name of the action itself if the guide knows no tool for it. A session offers no tool of that name. */
function toolName(act: GuideAct, {tools}: Turn): string {
	return tools.find(tool => tool.act === act)?.name ?? act;
}

function report(text: string, step: Step): Move {
	return {type: 'report', text, used: 1, isDone: !step.isError};
}
