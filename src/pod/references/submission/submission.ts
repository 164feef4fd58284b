import {isoTime, stamp, type Clock, type Message} from '../../../worker/index.ts';
import {defaultLimits} from '../../config/limits.ts';
import {flatten, type Alert, type FileRef, type Refusal, type Segment} from '../../protocol.ts';
import {existsIn} from '../../scope/disk-path.ts';
import {holdBytes} from '../../disk/bodies/hashed-files.ts';
import type {MediaCheck} from './media-check.ts';
import {failureSentences} from './failure.ts';
import {parseDraft} from './parse.ts';
import type {ResourceReader} from './web-ref.ts';
import type {RefResources} from './file-ref.ts';
import {refKey, resolveRefs, type RefsOptions} from './refs.ts';
import {submitTexts} from './texts.ts';
import {invokeWorkflows, noWorkflows, type Slugs, type WorkflowSource} from './workflow.ts';

/** A resolved draft. It is committed in one append: `[user, ...attachments]`. */
export type Submission = {
	readonly ok: true;
	/** The user's message. Its origin is `submit`, and each file ref has its outcome. */
	readonly user: Message;
	/** Files and directories in order of occurrence, then the knowledge and the body of each workflow. */
	readonly attachments: readonly Message[];
	/** The alerts of a hook, and alerts about the distinct file refs that failed. */
	readonly alerts: readonly Alert[];
};

/** A rejected draft does not change the history. The user gets the `alerts` in addition to the sentence. */
export type Rejection = {
	readonly ok: false;
	readonly code: Extract<Refusal, 'workflow' | 'untrusted' | 'hook' | 'aborted' | 'empty' | 'media' | 'model'>;
	readonly sentence: string;
	readonly alerts?: readonly Alert[];
};

/**
The user's hook that runs when the user submits a message. The hook gets the prompt before inkpod reads any file. The
hook continues, or cancels with a reason for the user.
*/
export type PromptHook = (
	prompt: {readonly text: string; readonly segments: readonly Segment[]},
	signal: AbortSignal,
) => Promise<HookVerdict>;

/**
The answer of a hook. A hook cannot add or change items, but an Interceptor can. `alerts` report problems of the hook.
*/
export type HookVerdict = ({readonly type: 'continue'} | {readonly type: 'cancel'; readonly reason: string}) & {
	readonly alerts?: readonly Alert[];
	readonly items?: never;
};

export type SubmissionOptions = Omit<RefsOptions, 'limits' | 'resources'> & {
	/** Reads the resources of MCP servers. */
	readonly resources?: ResourceReader | undefined;
	readonly clock: Clock;
	/** The message's id in the queue. */
	readonly id?: string | undefined;
	readonly limits?: RefsOptions['limits'];
	readonly workflows?: WorkflowSource;
	readonly hook?: PromptHook;
	readonly media?: MediaCheck | undefined;
};

/**
Turns a draft into items without committing them (L7). It finds workflows, runs the hook, and then reads file refs.
An aborted signal rejects the draft at any point, without waiting for a slow disk.
*/
export async function resolveSubmission(
	draft: readonly Segment[],
	options: SubmissionOptions,
): Promise<Submission | Rejection> {
	const {scope, signal, clock, id, hook, workflows = noWorkflows, limits = defaultLimits.fileRefs} = options;
	if (flatten(draft).trim() === '') return {ok: false, code: 'empty', sentence: submitTexts.empty};
	const slugs = await unlessAborted(signal, mayInvoke(draft) ? workflows.slugs() : noSlugs);
	const servers = await unlessAborted(signal, serversOf(options));
	if (slugs === undefined || servers === undefined) return aborted;
	const parsed = await unlessAborted(
		signal,
		parseDraft(draft.map(unresolved), existsIn(scope), {
			knows: slug => slugs.get(slug) === 'anywhere',
			servers,
		}),
	);
	if (parsed === undefined) return aborted;
	const {segments, complete} = parsed;
	const invoked = await unlessAborted(signal, invokeWorkflows(segments, workflows, slugs, signal));
	if (invoked === undefined) return aborted;
	if (!invoked.ok) return {ok: false, code: invoked.code ?? 'workflow', sentence: invoked.sentence};
	const verdict = await hook?.({text: flatten(segments), segments}, signal);
	if (signal.aborted) return aborted;
	const warnings = verdict?.alerts ?? [];
	if (verdict?.type === 'cancel')
		return {ok: false, code: 'hook', sentence: verdict.reason, ...(warnings.length > 0 && {alerts: warnings})};
	const refs = await unlessAborted(
		signal,
		resolveRefs(segments, {...options, limits, resources: readerOf(options.resources, servers)}),
	);
	if (refs === undefined) return aborted;
	const head = {id: clock.id(), at: isoTime(clock.now())};
	const [refused] = (await options.media?.problems(refs))?.values() ?? [];
	if (signal.aborted) return aborted;
	if (refused !== undefined) return {ok: false, code: 'media', sentence: refused};
	for (const {media, draft} of refs.filter(ref => ref.ok))
		if (media !== undefined && draft.origin !== undefined) holdBytes(draft.origin, media);
	const stamped = refs.map(ref => (ref.ok ? {...ref, item: stamp(clock, ref.draft)} : ref));
	const items = stamped.flatMap(ref => (ref.ok ? [ref.item] : []));
	const outcomes = new Map(stamped.map(ref => [ref.key, ref.ok ? {item: ref.item.id} : {failed: ref.reason}]));
	const resolved = withOutcomes(segments, segment => outcomes.get(refKey(scope, segment)));
	return {
		ok: true,
		user: {
			...head,
			type: 'message',
			role: 'user',
			text: flatten(resolved),
			origin: {kind: 'submit', segments: resolved, id},
		},
		attachments: [...items, ...invoked.drafts.map(document => stamp(clock, document))],
		alerts: [
			...warnings,
			...failureSentences(refs.filter(ref => !ref.ok)).map(warning),
			...(complete ? [] : [warning(submitTexts.incomplete)]),
		],
	};
}

/** Tells whether a draft may invoke a workflow. If not, inkpod does not look for workflows. */
function mayInvoke(draft: readonly Segment[]): boolean {
	return draft.some(
		segment => segment.type === 'workflow' || (segment.type === 'text' && segment.text.includes('/')),
	);
}

const noSlugs: Promise<Slugs> = Promise.resolve(new Map());

async function serversOf({resources}: Pick<SubmissionOptions, 'resources'>): Promise<ReadonlySet<string>> {
	return (await resources?.servers()) ?? new Set();
}

function readerOf(resources: ResourceReader | undefined, servers: ReadonlySet<string>): RefResources | undefined {
	return resources && {servers, read: async (...given) => resources.read(...given)};
}

const aborted: Rejection = {ok: false, code: 'aborted', sentence: submitTexts.aborted};

/**
Returns the result of the work, or `undefined` when the signal is aborted. After an abort, does not wait for the end of
the work.
*/
async function unlessAborted<Value extends object>(
	signal: AbortSignal,
	work: Promise<Value>,
): Promise<Value | undefined> {
	const stopped = Promise.withResolvers<undefined>();
	const stop = () => stopped.resolve(undefined);
	signal.addEventListener('abort', stop, {once: true});
	if (signal.aborted) stop();
	try {
		const value = await Promise.race([work, stopped.promise]);
		return signal.aborted ? undefined : value;
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

/** Returns a client's segment without the outcome of an earlier attempt. */
function unresolved(segment: Segment): Segment {
	if (segment.type !== 'file_ref') return segment;
	const {outcome: _, ...ref} = segment;
	return ref;
}

function withOutcomes(segments: readonly Segment[], outcomeOf: (ref: FileRef) => FileRef['outcome']): Segment[] {
	return segments.map(segment => {
		if (segment.type !== 'file_ref') return segment;
		const {sent: _, ...ref} = segment;
		return {...ref, outcome: outcomeOf(segment)};
	});
}

function warning(text: string): Alert {
	return {level: 'warn', text};
}
