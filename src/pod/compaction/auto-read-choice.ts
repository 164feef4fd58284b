import {z} from 'zod';
import {defineTool, type Tool, type ToolMoved, type ToolOutput} from '../../worker/index.ts';
import {locate, targetOf} from '../scope/locate.ts';
import {errorOutput, onOneLine, plural} from '../tools/output.ts';
import {sentenceFor} from '../tools/texts.ts';
import {readAgain, type ReadAgainOptions, type Wanted} from './auto-read.ts';
import {toolTexts} from './prompts.ts';

/** A path, with the lines that were meant, and why it is not read again. */
export type Refused = {readonly path: string; readonly reason: string};

/** What the model that makes a summary says beside it: files to be read again, and files to be named. */
export type AutoReadChoice = {
	readonly tools: readonly Tool[];
	/** In the order of nomination. */
	wanted(): readonly Wanted[];
	refs(): readonly string[];
	/** What was nominated and could not be had; not what was taken in another extent later. */
	refused(): readonly Refused[];
	/** Says of a call that was refused before it ran which file it was about. */
	refuse(path: string, reason: string): void;
};

export type AutoReadChoiceOptions = Omit<ReadAgainOptions, 'signal'> & {
	/** Tokens of all that is to be read again. */ readonly budget: number;
};

export function createAutoReadChoice(options: AutoReadChoiceOptions): AutoReadChoice {
	const taken: Array<{readonly wanted: Wanted; readonly real: string; readonly key: string}> = [];
	const refused = new Map<string, Refused & {readonly of: string}>();
	const refs = new Set<string>();
	let left = options.budget;
	/** One after another: each has to know what the one before left. */
	let last: Promise<unknown> = Promise.resolve();

	function note(wanted: Wanted, reason: string): void {
		const name = nameOf(wanted);
		if (refused.size < mostNamed) refused.set(name, {path: name, reason, of: wanted.path});
	}

	async function mark(wanted: Wanted, signal: AbortSignal): Promise<ToolOutput | ToolMoved> {
		signal.throwIfAborted();
		const name = nameOf(wanted);
		const refuse = (reason: string, sentence: string) => {
			note(wanted, reason);
			return errorOutput(sentence);
		};
		if (taken.length >= mostNamed)
			return refuse(
				'too many files were named.',
				`${plural(mostNamed, 'file')} are marked already: that is enough.`,
			);
		const read = await readAgain(wanted, {...options, signal});
		signal.throwIfAborted();
		const isMoved =
			!read.ok && (read.reason === 'moved' || (await targetOf(options.scope, wanted.path)) !== wanted.real);
		if (isMoved) return 'moved';
		if (!read.ok) return refuse(read.sentence, `${onOneLine(name)}: ${read.sentence}`);
		if (
			taken.some(
				({key, real}) => key === read.key || (key === JSON.stringify([real, 'whole']) && real === read.real),
			)
		)
			return {summary: 'marked already', content: `${onOneLine(name)} is marked already. ${leftSentence(left)}`};
		if (read.tokens > left)
			return refuse(
				overBudget(read.tokens, left),
				`${onOneLine(name)} takes about ${plural(read.tokens, 'token')}. ${leftSentence(left)}${left > 0 ? ' Mark some of its lines, or name it with add_reference.' : ''}`,
			);
		left -= read.tokens;
		taken.push({wanted: {...wanted, real: read.real}, real: read.real, key: read.key});
		for (const [key, {of}] of refused) if (of === wanted.path) refused.delete(key);
		return {
			summary: plural(read.tokens, 'token'),
			content: `${onOneLine(name)} will be read again, about ${plural(read.tokens, 'token')}. ${leftSentence(left)}`,
		};
	}

	async function refer(path: string, target: string | undefined): Promise<ToolOutput | ToolMoved> {
		const place = await locate(options.scope, path);
		if ((place.ok ? place.real : await targetOf(options.scope, path)) !== target) return 'moved';
		if (!place.ok) return errorOutput(sentenceFor(place.reason, onOneLine(path)));
		if (!place.exists) return errorOutput(sentenceFor('not_found', onOneLine(path)));
		if (refs.size >= mostNamed && !refs.has(path))
			return errorOutput(`${plural(mostNamed, 'file')} are named already: that is enough.`);
		refs.add(path);
		return {summary: 'named', content: `${onOneLine(path)} will be named.`};
	}

	return {
		tools: [
			defineTool({
				name: 'mark_read_required',
				description: toolTexts.mark,
				effect: 'read',
				target: async ({path}) => targetOf(options.scope, path),
				input: z.object({
					path: z.string().min(1).describe(toolTexts.markPath),
					offset: z.number().int().min(1).optional().describe(toolTexts.offset),
					limit: z.number().int().min(1).optional().describe(toolTexts.limit),
				}),
				async execute({path, offset = 1, limit}, {target, signal}) {
					const real = target !== undefined && {real: target};
					const first = (offset > 1 || limit !== undefined) && {first: offset};
					const wanted = {path, ...real, ...first, ...(limit !== undefined && {last: offset + limit - 1})};
					const marked = last.then(async () => mark(wanted, signal));
					last = marked.catch(() => {});
					return marked;
				},
			}),
			defineTool({
				name: 'add_reference',
				description: toolTexts.refer,
				effect: 'read',
				target: async ({path}) => targetOf(options.scope, path),
				input: z.object({path: z.string().min(1).max(4096).describe(toolTexts.markPath)}),
				execute: async ({path}, {target}) => refer(path, target),
			}),
		],
		wanted: () => taken.map(({wanted}) => wanted),
		refs: () => [...refs],
		refuse: (path, reason) => note({path}, reason),
		refused: () => [...refused.values()].map(({path, reason}) => ({path, reason})),
	};
}

/** `a.ts`, `a.ts:10-20`, `a.ts:10-`. */
export function nameOf({path, first, last}: Wanted): string {
	return first === undefined ? path : `${path}:${first}-${last ?? ''}`;
}

/** Why something is not read again that would be too long. */
export function overBudget(tokens: number, left: number): string {
	return `it takes about ${plural(tokens, 'token')}, and ${left} of those to be read again were left.`;
}

function leftSentence(left: number): string {
	return `About ${plural(left, 'token')} ${left === 1 ? 'is' : 'are'} left for files to be read again.`;
}

const mostNamed = 20;
