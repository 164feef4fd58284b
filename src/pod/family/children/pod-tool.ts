import {en} from '../../../language/index.ts';
import {z} from 'zod';
import {defineTool, stoppedSummary, type Tool, type ToolOutput} from '../../../worker/index.ts';
import type {EndedChild} from '../children/children.ts';
import type {ChildSpec} from './child-session.ts';
import {childTexts} from '../children/texts.ts';
import type {ToolDetails} from '../../protocol.ts';
import {podFacts} from '../../protocol/tool-definitions.ts';
import {errorOutput} from '../../ground/values/is-record.ts';

/** The arguments of a call. */
export type ChildRequest = z.infer<typeof requestSchema>;
const texts = podFacts.arguments;
const requestSchema = z.object({
	task: z.string().trim().min(1).max(100_000).describe(texts.task),
	title: z.string().trim().min(1).max(200).describe(texts.title),
	context: z.enum(['fresh', 'fork']).optional().describe(texts.context),
	tools: z.array(z.string()).max(100).optional(),
	model: z.string().optional().describe(texts.model),
	scope: z
		.object({
			path: z.string().optional(),
			writable: z.boolean().optional().describe(texts.writable),
		})
		.optional()
		.describe(texts.scope),
	background: z.boolean().optional().describe(texts.background),
	wake: z.boolean().optional().describe(texts.wake),
	worktree: z.boolean().optional().describe(texts.worktree),
});

export type PodToolOptions = {
	/**
	Prepares a child for a call and commits the child's start. If the call has already started a child, finds that
	child. Resolves with a sentence for the model if this fails.
	*/
	readonly prepare: (request: ChildRequest, call: string, signal: AbortSignal) => Promise<Prepared>;
};

type Prepared =
	| {
			readonly ok: true;
			readonly spec: ChildSpec;
			/** Lets the child work until it has ended or the signal interrupts it. */
			readonly run: (signal: AbortSignal) => Promise<EndedChild>;
			/** Lets the child work in the background. */
			readonly begin: (wakes: boolean) => void;
	  }
	| {readonly ok: false; readonly sentence: string};

/** Creates the tool that starts child sessions. */
export function podTool({prepare}: PodToolOptions): Tool {
	return defineTool({
		...podFacts,
		input: requestSchema,
		async execute(request, {id, signal}) {
			const prepared = await prepare(request, id, signal);
			if (!prepared.ok) return errorOutput(prepared.sentence);
			const {child, title} = prepared.spec;
			if (request.background === true) {
				prepared.begin(request.wake === true);
				return {
					summary: en`in the background`,
					content: childTexts.started(child, title),
					details: detailsOf(child),
				};
			}
			return outputOf(child, await prepared.run(signal));
		},
	});
}

/** Returns the tool for a child session. The tool refuses all calls, because a child may not start children. */
export function nestedPodTool(): Tool {
	return podTool({prepare: async () => ({ok: false, sentence: childTexts.nested})});
}

function outputOf(child: string, {note, ...end}: EndedChild): ToolOutput {
	const output = plainOutputOf(child, end);
	return note === undefined ? output : {...output, content: `${output.content}\n\n${note}`};
}

function plainOutputOf(child: string, {outcome, text, cause, item}: EndedChild): ToolOutput {
	const items = item === undefined ? [] : [item];
	const details = detailsOf(child, outcome);
	if (outcome === 'interrupted') return {summary: stoppedSummary, content: text, details, isPartial: true};
	if (outcome === 'finished') {
		const isEmpty = text === '';
		return {summary: en`finished`, content: isEmpty ? childTexts.noAnswer : text, isError: isEmpty, details, items};
	}
	const reason = outcome === 'stopped' ? childTexts.stopped : childTexts.failed(cause ?? '');
	const last = text === '' ? '' : `\n${childTexts.lastWords}\n\n${text}`;
	return {
		summary: outcome === 'stopped' ? en`stopped` : en`failed`,
		content: `${reason}${last}`,
		isError: true,
		details,
		items,
	};
}

function detailsOf(id: string, outcome?: string): Readonly<Record<string, unknown>> {
	const details: ToolDetails = {child: {id, outcome}};
	return details;
}
