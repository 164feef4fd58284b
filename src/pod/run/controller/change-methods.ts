import type {ApprovalMode, MethodName, Receipt, Step} from '../../protocol.ts';
import {effortOf} from '../../models/effort.ts';
import type {CurrentModel} from '../../models/current-model.ts';
import type {Models} from '../../models/models.ts';
import type {FoundDir} from '../../permissions/approval/read-roots.ts';
import type {Asks} from '../../permissions/approval/asks.ts';
import type {Hub} from '../status/hub.ts';
import {accepted, type JobEnd, type JobKind, type Jobs, type Task} from '../status/job.ts';
import type {MethodOf, Methods} from './methods.ts';
import {refuse} from './refuse.ts';
import {interruptedText, noOtherModels} from './texts.ts';

/** The parameters of a change, without the name of its method. */
type Change<Name extends MethodName> = Omit<MethodOf<Name>, 'method'>;

export type ChangeOptions = {
	readonly hub: Hub;
	readonly asks: Asks;
	/** Adds a folder that the user names. The folder becomes readable when no job is running. */
	readonly addDir: (path: string) => Promise<FoundDir>;
	/** Sets the approval mode. */
	readonly setApproval: (mode: ApprovalMode) => void;
	/** The other models. Without them, nobody can choose another model. */
	readonly models?: Models | undefined;
	/** The model of the session. If a job runs, a choice waits for its end. */
	readonly model: Pick<CurrentModel, 'choose' | 'settle'>;
	/** Drops, pins or restores items of the context. */
	readonly changeContext: (change: Change<'context'>) => Promise<JobEnd>;
	/** Compacts the context. */
	readonly compact: (hint: string | undefined, signal: AbortSignal) => Promise<JobEnd>;
	/** Names the session. */
	readonly rename: (title: string) => Promise<JobEnd>;
	/** Rewinds the context to its state right after an item. */
	readonly rewind: (to: string) => Promise<JobEnd>;
	/** Restores files that tools have changed. */
	readonly restoreFiles: (change: Change<'restore_files'>) => Promise<JobEnd>;
};

/** The methods that change the context, the scope, files, the approval mode, or open questions. */
type ChangeMethods = Pick<
	Methods,
	| 'add_dir'
	| 'approval'
	| 'model'
	| 'save_model'
	| 'login'
	| 'context'
	| 'compact'
	| 'rewind'
	| 'rename'
	| 'restore_files'
	| 'answer'
>;

export function createChangeMethods(options: ChangeOptions, jobs: Jobs, isClosing: () => boolean): ChangeMethods {
	const {hub, asks, addDir, setApproval, models, model: current} = options;
	const {changeContext, compact, rename, rewind, restoreFiles} = options;

	async function begin(task: Task, kind: JobKind = 'context', step?: Step): Promise<Receipt> {
		return jobs.current() === undefined ? jobs.begin(kind, step, task) : refuse('not_idle');
	}

	return {
		async add_dir({path}) {
			if (jobs.current() !== undefined) return refuse('busy');
			const found = await addDir(path);
			if (!found.ok) return {accepted: false, code: found.code, sentence: found.sentence};
			if (isClosing()) return refuse('closed');
			if (jobs.current() !== undefined) return refuse('busy');
			found.add();
			return accepted;
		},
		async approval({mode}) {
			setApproval(mode);
			return accepted;
		},
		async save_model({name, effort}) {
			const problem = models === undefined ? noOtherModels : await models.save(name, effort);
			return problem === undefined ? accepted : {accepted: false, code: 'io', sentence: problem};
		},
		async login({provider, key}) {
			const {ok, sentence} = (await models?.login(provider, key)) ?? noModels;
			return ok ? {accepted: true, note: sentence} : {accepted: false, code: 'key', sentence};
		},
		async model({name, effort}) {
			const opened = (await models?.open(name, effort)) ?? noModels;
			if (!opened.ok) return {accepted: false, code: 'no_such_model', sentence: opened.sentence};
			if (isClosing()) return refuse('closed');
			current.choose(opened.model, jobs.current() !== undefined);
			return {accepted: true, chosen: {name: opened.model.name, effort: effortOf(opened.model)}};
		},
		context: async ({op, ids}) => begin(async () => changeContext({op, ids})),
		async compact({hint}) {
			if (hub.status().kind === 'paused') return refuse('not_idle', interruptedText);
			return begin(async signal => compact(hint, signal), 'compact', 'compacting');
		},
		rename: async ({title}) => begin(async () => rename(title)),
		rewind: async ({to}) => begin(async () => rewind(to)),
		restore_files: async ({to, files}) => begin(async () => restoreFiles({to, files})),
		async answer({askId, choice, reason, answers}) {
			const given = {choice, reason, answers};
			const isAnswered = asks.answer(askId, given);
			return isAnswered ? accepted : refuse('no_such_ask');
		},
	};
}

const noModels = {ok: false, sentence: noOtherModels} as const;
