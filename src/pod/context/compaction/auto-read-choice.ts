import {en, enCount} from '../../../language/index.ts';
import {z} from 'zod';
import {defineTool, type Tool, type ToolMoved, type ToolOutput} from '../../../worker/index.ts';
import {locate, resolveTarget} from '../../scope/locate.ts';
import {summaryToolNames} from '../../protocol/tool-definitions.ts';
import {errorOutput} from '../../ground/values/tool-output.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import {sentenceFor} from '../../tools/files/failures.ts';
import {
	createAutoReadMarks,
	maxPathLength,
	nameOf,
	overBudget,
	type AutoReadMarks,
	type Refused,
} from './auto-read-marks.ts';
import {readAgain, type ReadAgainOptions, type Wanted} from './auto-read.ts';
import {toolTexts} from './prompts.ts';

/** The choice of the model that writes a summary: files to read again, and files to name. */
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

type AutoReadChoiceOptions = Omit<ReadAgainOptions, 'signal'> & {
	/** The maximum number of tokens of all files that are read again. */
	readonly budget: number;
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

const maxNamed = 20;

function markTool(marks: AutoReadMarks, options: AutoReadChoiceOptions): Tool {
	/** Choices run one after another, because each depends on the tokens that the previous one left. */
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
			`${enCount(maxNamed, 'file')} are marked already: that is enough.`,
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
				return errorOutput(`${enCount(maxNamed, 'file')} are named already: that is enough.`);
			refs.add(path);
			return {summary: 'named', content: `${onOneLine(path)} will be named.`};
		},
	});
}

function leftSentence(left: number): string {
	return `About ${enCount(left, 'token')} ${left === 1 ? 'is' : 'are'} left for files to be read again.`;
}
