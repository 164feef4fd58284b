import {moment, type Clock, type Item} from '../../../worker/index.ts';
import type {ChildStatus, PodClient} from '../../protocol.ts';
import type {Session} from '../../disk/log/log.ts';
import {createChildSession, isStored, openChildSession, type ParentSession} from './child-session.ts';
import type {ChildSpec} from './child-session.ts';
import type {NamePair} from '../../protocol/answered.ts';
import {watchChild, type LiveChild} from './live-child.ts';
import {childTexts} from './texts.ts';

/** A child that works, waits, or is shown on a screen. */
export type RunningChild = {
	readonly spec: ChildSpec;
	/** The time when this process started or opened the child. */
	readonly since: number;
	/** Aborted when the user stops the child. */
	readonly stopping: AbortController;
	/** Whether a turn of the parent begins when the child ends. */
	wakes: boolean;
	/** True while the child works for the parent, and while it waits for a slot. */
	isWorking: boolean;
	live: LiveChild | undefined;
	session: Session | undefined;
	/** The number of screens that show the child. */
	views: number;
	/** Resolves when the child's pod is open, or with the problem if that failed. */
	opening: Promise<Problem | undefined> | undefined;
	/** Resolves when the child's work has ended. */
	ended: Promise<unknown>;
};

export type RunningChildrenOptions = {
	readonly parent: ParentSession;
	readonly clock: Clock;
	/**
	Opens the pod of a child on its session. Resolves with a sentence if this fails, for example because the child's
	model cannot be used.
	*/
	readonly openPod: (spec: ChildSpec, session: Session) => Promise<OpenedPod>;
	readonly onChange: () => void;
	/** Called with the requests of children, because the parent pays for them. */
	readonly onRequest: (items: readonly Item[]) => void;
	/** Called when a child got an answer from a model that it did not request. */
	readonly onOtherModel: (pair: NamePair) => void;
};

/** The reason why a child cannot be opened: one sentence for the user, and one for the model. */
type Problem = {readonly sentence: string; readonly recorded: string};

export type OpenedPod = {readonly ok: true; readonly pod: PodClient} | {readonly ok: false; readonly sentence: string};

/** The children that this process knows, by id. */
export type RunningChildren = {
	readonly all: () => readonly RunningChild[];
	readonly get: (id: string) => RunningChild | undefined;
	/** Returns the entry of a child. Adds an entry if the child has none. */
	readonly of: (spec: ChildSpec) => RunningChild;
	/**
	Opens the pod of a stored child, or of a new child that begins with the items `copied`. Resolves with the problem if
	this fails.
	*/
	open(entry: RunningChild, copied?: readonly Item[]): Promise<Problem | undefined>;
	/** Closes the pod of a child if the child does not work and no screen shows it. */
	rest(entry: RunningChild): Promise<void>;
};

export function createRunningChildren({
	parent,
	clock,
	openPod,
	onChange,
	onRequest,
	onOtherModel,
}: RunningChildrenOptions): RunningChildren {
	const entries = new Map<string, RunningChild>();
	/** The shutdowns of children that are not finished yet, by the ids of the children. */
	const closing = new Map<string, Promise<unknown>>();

	async function openLive(entry: RunningChild, copied: readonly Item[] | undefined): Promise<Problem | undefined> {
		const {spec} = entry;
		await closing.get(spec.child);
		const isNew = copied !== undefined && !(await isStored(parent, spec.child));
		const found = isNew
			? await createChildSession(parent, spec, copied, clock)
			: await openChildSession(parent, spec.child, clock);
		if (!found.ok) return {sentence: found.sentence, recorded: childTexts.missing};
		const {session} = found;
		const opened = await openPod(spec, session);
		if (!opened.ok) {
			await session.close();
			return {sentence: opened.sentence, recorded: opened.sentence};
		}
		entry.session = session;
		entry.live = watchChild({pod: opened.pod, id: spec.child, onChange, onRequest, onOtherModel});
		return undefined;
	}

	return {
		all: () => [...entries.values()],
		get: id => entries.get(id),
		of(spec) {
			const entry = entries.get(spec.child) ?? newEntry(spec, clock);
			entries.set(spec.child, entry);
			return entry;
		},
		async open(entry, copied) {
			if (entry.live !== undefined) return undefined;
			entry.opening ??= openLive(entry, copied).finally(() => {
				entry.opening = undefined;
			});
			return entry.opening;
		},
		async rest(entry) {
			if (entry.isWorking || entry.views > 0 || entry.opening !== undefined) return;
			const {live} = entry;
			if (live?.status().kind === 'running') return;
			const {child} = entry.spec;
			entries.delete(child);
			entry.live = undefined;
			if (live === undefined) return;
			const closed = live.pod.send({method: 'shutdown'});
			closing.set(
				child,
				closed.finally(() => closing.delete(child)),
			);
			await closed;
		},
	};
}

function newEntry(spec: ChildSpec, clock: Clock): RunningChild {
	return {
		spec,
		since: moment(clock),
		stopping: new AbortController(),
		wakes: false,
		isWorking: false,
		live: undefined,
		session: undefined,
		views: 0,
		opening: undefined,
		ended: Promise.resolve(),
	};
}

/** Returns the status of a child that works or waits. */
export function statusOf({spec, since, live, wakes}: RunningChild): ChildStatus {
	const {child: id, title, call, background} = spec;
	const {kind, ...known} = live?.status() ?? {kind: 'idle', calls: [], tokens: 0, asks: 0};
	return {
		id,
		title,
		call,
		state: live === undefined ? 'waiting' : kind === 'paused' ? 'paused' : 'running',
		...known,
		since,
		...(background === true && {background}),
		...(wakes && {wakes}),
	};
}
