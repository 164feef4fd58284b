import type {ApprovalMode, Method, Receipt, Step} from '../protocol.ts';
import type {FoundDir} from '../scope/read-roots.ts';
import type {Asks} from '../status/asks.ts';
import type {Hub} from '../status/hub.ts';
import {accepted, type JobEnd, type JobKind, type Jobs, type Task} from '../status/job.ts';
import {refuse} from './refuse.ts';
import {interruptedText} from './texts.ts';

type MethodOf<Name extends Method['method']> = Omit<Extract<Method, {method: Name}>, 'method'>;

export type ChangeOptions = {
	readonly hub: Hub;
	readonly asks: Asks;
	/** Finds a folder that the user adds. It is added when no job is running. */
	readonly addDir: (path: string) => Promise<FoundDir>;
	/** Sets what tools may do without asking. */
	readonly setApproval: (mode: ApprovalMode) => void;
	/** Changes what is in the context. */
	readonly changeContext: (change: MethodOf<'context'>) => Promise<JobEnd>;
	/** Compacts what is in the context. */
	readonly compact: (hint: string | undefined, signal: AbortSignal) => Promise<JobEnd>;
	/** Goes back to what the context was right after an item. */
	readonly rewind: (to: string) => Promise<JobEnd>;
	/** Restores files that tools have changed. */
	readonly restoreFiles: (change: MethodOf<'restore_files'>) => Promise<JobEnd>;
};

/** The methods that change the context, the scope, files, the approval mode and open questions. */
export type ChangeMethods = {
	addDir(path: string): Promise<Receipt>;
	setApproval(mode: ApprovalMode): Promise<Receipt>;
	changeContext(change: MethodOf<'context'>): Promise<Receipt>;
	compact(hint: string | undefined): Promise<Receipt>;
	rewind(to: string): Promise<Receipt>;
	restoreFiles(change: MethodOf<'restore_files'>): Promise<Receipt>;
	answer(answer: MethodOf<'answer'>): Promise<Receipt>;
};

export function createChangeMethods(options: ChangeOptions, jobs: Jobs, isClosing: () => boolean): ChangeMethods {
	const {hub, asks, addDir, setApproval, changeContext, compact, rewind, restoreFiles} = options;

	async function begin(task: Task, kind: JobKind = 'context', step?: Step): Promise<Receipt> {
		return jobs.current() === undefined ? jobs.begin(kind, step, task) : refuse('not_idle');
	}

	return {
		async addDir(path) {
			if (jobs.current() !== undefined) return refuse('busy');
			const found = await addDir(path);
			if (!found.ok) return {accepted: false, code: found.code, sentence: found.sentence};
			if (isClosing()) return refuse('closed');
			if (jobs.current() !== undefined) return refuse('busy');
			found.add();
			return accepted;
		},
		async setApproval(mode) {
			setApproval(mode);
			return accepted;
		},
		changeContext: async ({op, ids}) => begin(async () => changeContext({op, ids})),
		async compact(hint) {
			if (hub.status().kind === 'paused') return refuse('not_idle', interruptedText);
			return begin(async signal => compact(hint, signal), 'compact', 'compacting');
		},
		rewind: async to => begin(async () => rewind(to)),
		restoreFiles: async ({to, files}) => begin(async () => restoreFiles({to, files})),
		async answer({askId, choice, reason}) {
			const isAnswered = asks.answer(askId, {choice, ...(reason !== undefined && {reason})});
			return isAnswered ? accepted : refuse('no_such_ask');
		},
	};
}
