import type {Draft} from '../../worker/index.ts';
import {flatten, type Segment, type SegmentOf} from '../protocol.ts';

/** Where a submission finds its workflows. */
export type WorkflowSource = {
	/** The slugs that a person may invoke or be told why not. */
	slugs(): Promise<ReadonlySet<string>>;
	/**
	Finds and reads a workflow and every document that it requires. Commits nothing. Ends soon when the signal is
	aborted.
	*/
	invoke(slug: string, args: string, signal: AbortSignal): Promise<Invoked>;
};

/**
System items in commit order, or the one sentence why there are none. `untrusted`: the person did not trust them, or
could not be asked; without a code it is the workflow's fault.
*/
export type Invoked =
	| {readonly ok: true; readonly drafts: ReadonlyArray<Draft<'message'>>}
	| {readonly ok: false; readonly code?: 'untrusted'; readonly sentence: string};

/** A source without any workflow. */
export const noWorkflows: WorkflowSource = {
	slugs: async () => new Set(),
	invoke: async slug => ({ok: false, sentence: await unknownWorkflow(slug, new Set())}),
};

/**
The items of every workflow of a draft, in order, each slug once; or the sentence of the first that cannot be had.
*/
export async function invokeWorkflows(
	segments: readonly Segment[],
	source: WorkflowSource,
	slugs: ReadonlySet<string>,
	signal: AbortSignal,
): Promise<Invoked> {
	const drafts: Array<Draft<'message'>> = [];
	const invoked = new Set<string>();
	for (const [index, segment] of segments.entries()) {
		if (segment.type !== 'workflow' || invoked.has(segment.slug)) continue;
		invoked.add(segment.slug);
		if (!slugs.has(segment.slug)) return {ok: false, sentence: await unknownWorkflow(segment.slug, slugs)};
		const invocation = await source.invoke(segment.slug, argumentsOf(segment, segments.slice(index + 1)), signal);
		if (!invocation.ok) return invocation;
		drafts.push(...invocation.drafts);
	}
	return {ok: true, drafts};
}

/** The text after `/slug`, up to the line's end or the next invocation. */
function argumentsOf(invocation: SegmentOf<'workflow'>, behind: readonly Segment[]): string {
	if (invocation.arguments !== undefined) return invocation.arguments;
	const next = behind.findIndex(segment => segment.type === 'workflow');
	const text = flatten(next === -1 ? behind : behind.slice(0, next));
	return text.split(/\r?\n/, 1)[0]!.trim();
}

/** That there is no such workflow, with the names of those that may have been meant. */
export async function unknownWorkflow(slug: string, slugs: ReadonlySet<string>): Promise<string> {
	const {nearest} = await import('./nearest.ts');
	const names = nearest(slug, [...slugs]);
	return `There is no workflow /${slug}${names.length === 0 ? '' : `; nearest: ${names.map(name => `/${name}`).join(', ')}`}.`;
}
