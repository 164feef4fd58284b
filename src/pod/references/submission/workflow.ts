import type {Draft} from '../../../worker/index.ts';
import {flatten, type Segment, type SegmentOf} from '../../protocol.ts';
import {noSuchWorkflow} from './texts.ts';

/** The workflows that a submission can invoke. */
export type WorkflowSource = {
	/** Returns the slugs of all workflows, including those that the user is not allowed to invoke. */
	slugs(): Promise<Slugs>;
	/**
	Finds and reads a workflow and every document that it requires. Commits nothing. Ends soon after the signal is
	aborted.
	*/
	invoke(slug: string, args: string, signal: AbortSignal): Promise<Invoked>;
	/** Returns the names of the servers whose prompts are invoked as `/server:prompt`. */
	prompts?(): Promise<ReadonlySet<string>>;
};

/**
The places in a message where `/slug` invokes a workflow: `anywhere`, or only at the `start`. `start` is for built-in
workflows, so that prose about a path such as `/init` does not invoke a workflow. A workflow that the user picked from
the list is invoked at any place.
*/
export type Slugs = ReadonlyMap<string, 'anywhere' | 'start'>;

/**
System items in commit order, or a sentence about the failure. `untrusted`: the user did not trust the documents, or
could not be asked. If there is no code, the workflow is invalid.
*/
export type Invoked =
	| {readonly ok: true; readonly drafts: ReadonlyArray<Draft<'message'>>}
	| {readonly ok: false; readonly code?: 'untrusted'; readonly sentence: string};

/** A source without any workflow. */
export const noWorkflows: WorkflowSource = {
	slugs: async () => new Map(),
	invoke: async slug => ({ok: false, sentence: await unknownWorkflow(slug, new Map())}),
};

/**
Returns the items of every workflow in a draft, in order and each slug once.
After a failure it returns the sentence of the first failure.
*/
export async function invokeWorkflows(
	segments: readonly Segment[],
	source: WorkflowSource,
	slugs: Slugs,
	signal: AbortSignal,
): Promise<Invoked> {
	const drafts: Array<Draft<'message'>> = [];
	const invoked = new Set<string>();
	for (const [index, segment] of segments.entries()) {
		if (segment.type !== 'workflow' || invoked.has(segment.slug)) continue;
		invoked.add(segment.slug);
		const server = segment.slug.includes(':') ? segment.slug.split(':')[0] : undefined;
		const isPrompt = server !== undefined && (await source.prompts?.())?.has(server) === true;
		if (!slugs.has(segment.slug) && !isPrompt)
			return {ok: false, sentence: await unknownWorkflow(segment.slug, slugs)};
		const invocation = await source.invoke(segment.slug, argumentsOf(segment, segments.slice(index + 1)), signal);
		if (!invocation.ok) return invocation;
		drafts.push(...invocation.drafts);
	}
	return {ok: true, drafts};
}

/** Returns the text after `/slug`, up to the line's end or the next invocation. */
function argumentsOf(invocation: SegmentOf<'workflow'>, after: readonly Segment[]): string {
	if (invocation.arguments !== undefined) return invocation.arguments;
	const next = after.findIndex(segment => segment.type === 'workflow');
	const text = flatten(next === -1 ? after : after.slice(0, next));
	return text.replace(/\r?\n[^]*$/, '').trim();
}

/** Returns a sentence about a workflow that does not exist, with similar names. */
async function unknownWorkflow(slug: string, slugs: Slugs): Promise<string> {
	const {nearest} = await import('./nearest.ts');
	return noSuchWorkflow(slug, nearest(slug, [...slugs.keys()]));
}
