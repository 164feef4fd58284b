import {en, enCount} from '../../../language/index.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import {type Draft, defineTool, type Tool, type ToolMoved, type ToolOutput} from '../../../worker/index.ts';
import type {OriginOf} from '../../protocol.ts';
import {factsOf, readTextChecked, type RefusesReading} from '../../scope/read.ts';
import type {Scope} from '../../scope/scope.ts';
import {reasonFor, type ToolFailure, sentenceFor} from '../../tools/files/failures.ts';
import {z} from 'zod';
import {locate, resolveTarget} from '../../scope/locate.ts';
import {summaryToolNames} from '../../protocol/tool-definitions.ts';
import {errorOutput} from '../../ground/values/is-record.ts';
import {toolTexts} from './prompts.ts';

/**
A file or a range of its lines, 1-based and inclusive. If `last` is absent, the range goes to the end of the file.
`real` is the real path of the chosen file. If `path` leads to another file, `readAgain` refuses to read that file.
*/
export type Wanted = {readonly path: string; readonly real?: string; readonly first?: number; readonly last?: number};

/**
The result of reading a file again. `draft` creates the message for a compaction's id. `key` identifies the file and its
lines.
*/
type ReadAgain =
	| {
			readonly ok: true;
			readonly key: string;
			readonly real: string;
			readonly isWhole: boolean;
			readonly tokens: number;
			readonly draft: (compaction: string) => Draft<'message'>;
	  }
	| {readonly ok: false; readonly reason: ToolFailure | 'rule' | 'moved'; readonly sentence: string};

type ReadAgainOptions = {
	readonly scope: Scope;
	/** Returns the reason why the rules for `read_file` forbid an opened file, or `undefined` if they allow it. */
	readonly refuses: RefusesReading;
	readonly maxScanBytes: number;
	readonly estimate: (text: string) => number;
	readonly signal: AbortSignal;
};

/**
Reads the current contents of a file that a compaction needs. The function refuses a file that it would have to cut.
Also refuses secrets, without asking the user.
*/
export async function readAgain(
	{path, real: target, first = 1, last}: Wanted,
	options: ReadAgainOptions,
): Promise<ReadAgain> {
	const {scope, refuses, maxScanBytes, estimate, signal} = options;
	// In a model's path, `~` is a folder with that name. In a user's path, `~` is the home folder.
	const written = path.startsWith('~/') ? `./${path}` : path;
	const isPart = first > 1 || last !== undefined;
	const wanted = {...(isPart && {range: {first, last}}), maxBytes, maxScanBytes, signal};
	const read = await readTextChecked<NotAgain>(scope, written, wanted, async ({real: opened}) => {
		if (target !== undefined && opened !== target) return {ok: false, reason: 'moved', sentence: movedSentence};
		const sentence = await refuses(path, opened);
		return sentence === undefined ? undefined : {ok: false, reason: 'rule', sentence};
	});
	if (!read.ok)
		return read.reason === 'not_admitted'
			? read.why
			: {ok: false, reason: read.reason, sentence: reasonFor(read.reason)};
	if (read.truncated) return {ok: false, reason: 'too_large', sentence: reasonFor('too_large')};
	const range = isPart ? {first, last: Math.min(last ?? read.totalLines, read.totalLines)} : undefined;
	const isWhole = range === undefined || (range.first === 1 && range.last >= read.totalLines);
	const {real, body} = read;
	const text = `[Auto-read file: ${onOneLine(written)}${isWhole ? '' : `:${range.first}-${range.last}`}]\n${body}`;
	const origin: Omit<OriginOf<'auto_read'>, 'compaction'> = {
		kind: 'auto_read',
		path: written,
		...(!isWhole && {range}),
		...factsOf(read),
	};
	return {
		ok: true,
		key: JSON.stringify([real, isWhole ? 'whole' : [range.first, range.last]]),
		real,
		isWhole,
		tokens: estimate(text),
		draft: compaction => ({type: 'message', role: 'system', text, origin: {...origin, compaction}}),
	};
}

/** A path with the chosen lines, and the reason why they are not read again. */
export type Refused = {readonly path: string; readonly reason: string};

/** The files that the model marked, which inkpod reads again after the summary. The files share a token budget. */
type AutoReadMarks = {
	/** Returns the number of tokens that are left in the budget. */
	left(): number;
	isFull(): boolean;
	/** Tells whether these lines, or the whole file, are already marked. */
	has(read: Pick<Read, 'key' | 'real'>): boolean;
	add(wanted: Wanted, read: Read): void;
	refuse(wanted: Wanted, reason: string): void;
	/** Returns the marked files in the order in which they were marked. */
	wanted(): readonly Wanted[];
	/** Returns the refused files. The list omits files that the model marked later, whole or in part. */
	refused(): readonly Refused[];
};

/** Creates an empty list of marks. `max` limits the number of marked files, and also the number of refused files. */
function createAutoReadMarks(budget: number, max: number): AutoReadMarks {
	const marked: Array<{readonly wanted: Wanted; readonly real: string; readonly key: string}> = [];
	const refused = new Map<string, Refused & {readonly of: string}>();
	let left = budget;
	return {
		left: () => left,
		isFull: () => marked.length >= max,
		has: ({key, real}) => marked.some(mark => mark.key === key || (mark.real === real && isWhole(mark))),
		add(wanted, {real, key, tokens}) {
			left -= tokens;
			marked.push({wanted: {...wanted, real}, real, key});
			for (const [name, {of}] of refused) if (of === wanted.path) refused.delete(name);
		},
		refuse(wanted, reason) {
			const name = shortened(nameOf(wanted));
			if (refused.size < max) refused.set(name, {path: name, reason, of: wanted.path});
		},
		wanted: () => marked.map(({wanted}) => wanted),
		refused: () => [...refused.values()].map(({path, reason}) => ({path, reason})),
	};
}

/** The maximum number of characters in a path. No supported platform has longer paths. */
const maxPathLength = 4096;

/** Returns the name of a range: `a.ts`, `a.ts:10-20` or `a.ts:10-`. */
export function nameOf({path, first, last}: Wanted): string {
	return first === undefined ? path : `${path}:${first}-${last ?? ''}`;
}

/** Returns the reason why inkpod does not read a file again: the file exceeds the token budget. */
export function overBudget(tokens: number, left: number): string {
	return en`it takes about ${enCount(tokens, 'token')}, and only ${left} were left for files to read again.`;
}

/** The files that the model chose while it wrote a summary: files to read again, and files to name. */
export type AutoReadChoice = {
	readonly tools: readonly Tool[];
	/** Returns the chosen files in the order in which they were chosen. */
	wanted(): readonly Wanted[];
	refs(): readonly string[];
	/** Returns the chosen files that cannot be read again. */
	refused(): readonly Refused[];
	/** Records that a rule or hook refused to read a chosen file. */
	refuse(path: string, reason: string): void;
};

export function createAutoReadChoice(options: AutoReadChoiceOptions): AutoReadChoice {
	const marks = createAutoReadMarks(options.budget, maxNamed);
	const refs = new Set<string>();
	return {
		tools: [markTool(marks, options), referTool(refs, options)],
		wanted: () => marks.wanted(),
		refs: () => [...refs],
		refuse: (path, reason) => marks.refuse({path}, reason),
		refused: () => marks.refused(),
	};
}

type NotAgain = Extract<ReadAgain, {ok: false}>;

const movedSentence = en`its path now leads to another file than when it was named.`;

/** The maximum number of bytes of one file. No budget has room for a larger file. */
const maxBytes = 4 * 1024 * 1024;

type Read = Pick<Extract<ReadAgain, {ok: true}>, 'key' | 'real' | 'tokens'>;

/** Shortens a path that is longer than any existing path, because inkpod saves every refused path. */
function shortened(path: string): string {
	return path.length <= maxPathLength ? path : `${path.slice(0, shownLength)}…`;
}

const shownLength = 200;

function isWhole({key, real}: Pick<Read, 'key' | 'real'>): boolean {
	return key === JSON.stringify([real, 'whole']);
}

type AutoReadChoiceOptions = Omit<ReadAgainOptions, 'signal'> & {
	/** The maximum number of tokens of all files that are read again. */
	readonly budget: number;
};

const maxNamed = 20;

function markTool(marks: AutoReadMarks, options: AutoReadChoiceOptions): Tool {
	/**
	The last call. Calls run one after another, because each call depends on the budget that the previous call left.
	*/
	let last: Promise<unknown> = Promise.resolve();
	return defineTool({
		name: summaryToolNames.markRead,
		description: toolTexts.mark,
		effect: 'read',
		target: async ({path}) => resolveTarget(options.scope, path),
		input: z.object({
			path: z.string().min(1).max(maxPathLength).describe(toolTexts.markPath),
			offset: z.number().int().min(1).optional().describe(toolTexts.offset),
			limit: z.number().int().min(1).optional().describe(toolTexts.limit),
		}),
		async execute({path, offset = 1, limit}, {target, signal}) {
			const real = target !== undefined && {real: target};
			const first = (offset > 1 || limit !== undefined) && {first: offset};
			const wanted = {path, ...real, ...first, ...(limit !== undefined && {last: offset + limit - 1})};
			const marked = last.then(async () => mark(wanted, marks, {...options, signal}));
			last = marked.catch(() => {});
			return marked;
		},
	});
}

async function mark(wanted: Wanted, marks: AutoReadMarks, options: ReadAgainOptions): Promise<ToolOutput | ToolMoved> {
	const {scope, signal} = options;
	signal.throwIfAborted();
	const name = onOneLine(nameOf(wanted));
	const refuse = (reason: string, sentence: string) => {
		marks.refuse(wanted, reason);
		return errorOutput(sentence);
	};
	if (marks.isFull())
		return refuse(
			en`too many files were named.`,
			`${enCount(maxNamed, 'file')} are marked already, and you cannot mark more.`,
		);
	const read = await readAgain(wanted, {...options, signal});
	signal.throwIfAborted();
	const isMoved = !read.ok && (read.reason === 'moved' || (await resolveTarget(scope, wanted.path)) !== wanted.real);
	if (isMoved) return 'moved';
	if (!read.ok) return refuse(read.sentence, `${name}: ${read.sentence}`);
	const tokens = enCount(read.tokens, 'token');
	const left = marks.left();
	if (marks.has(read))
		return {summary: 'marked already', content: `${name} is marked already. ${leftSentence(left)}`};
	if (read.tokens > left) {
		const advice = left > 0 ? ' Mark some of its lines, or name it with add_reference.' : '';
		return refuse(overBudget(read.tokens, left), `${name} takes about ${tokens}. ${leftSentence(left)}${advice}`);
	}
	marks.add(wanted, read);
	return {
		summary: tokens,
		content: `${name} will be read again, about ${tokens}. ${leftSentence(marks.left())}`,
	};
}

function referTool(refs: Set<string>, {scope}: AutoReadChoiceOptions): Tool {
	return defineTool({
		name: summaryToolNames.addReference,
		description: toolTexts.refer,
		effect: 'read',
		target: async ({path}) => resolveTarget(scope, path),
		input: z.object({path: z.string().min(1).max(maxPathLength).describe(toolTexts.markPath)}),
		async execute({path}, {target}): Promise<ToolOutput | ToolMoved> {
			const place = await locate(scope, path);
			if ((place.ok ? place.real : await resolveTarget(scope, path)) !== target) return 'moved';
			if (!place.ok) return errorOutput(sentenceFor(place.reason, onOneLine(path)));
			if (!place.exists) return errorOutput(sentenceFor('not_found', onOneLine(path)));
			if (refs.size >= maxNamed && !refs.has(path))
				return errorOutput(`${enCount(maxNamed, 'file')} are named already, and you cannot name more.`);
			refs.add(path);
			return {summary: 'named', content: `The agent will get the name ${onOneLine(path)}.`};
		},
	});
}

function leftSentence(left: number): string {
	return `About ${enCount(left, 'token')} ${left === 1 ? 'is' : 'are'} left for files to read again.`;
}
