import {changeContext} from '../../context/ledger/change-context.ts';
import type {ControllerOptions} from '../controller/controller.ts';
import type {PodClient, Refusal} from '../../protocol.ts';
import {renameSession} from '../../disk/list/rename.ts';
import type {JobEnd} from '../status/job.ts';
import {createFileRestore, type RestoreOptions} from './restore-files.ts';
import {HistoryError, stamp, type Clock, type History} from '../../../worker/index.ts';
import {resumableCalls} from '../../ground/history/reader.ts';
import {rewindTexts} from './texts.ts';

type RewindMethodsOptions = RestoreOptions & {
	/** Returns the status of the session after a change of the context. */
	readonly statusAfterChange: () => 'idle' | 'paused';
	/** The function that is called with a sentence about files that could not be restored. */
	readonly onProblem: (sentence: string) => void;
};

/** The methods that change the context, rewind the conversation and restore files. */
export type RewindMethods = {
	readonly methods: Pick<ControllerOptions, 'changeContext' | 'rewind' | 'rename' | 'restoreFiles'>;
} & Pick<PodClient, 'filesSince'>;

export function createRewindMethods({statusAfterChange, onProblem, ...options}: RewindMethodsOptions): RewindMethods {
	const {history, clock, sessionDir: dir} = options;
	const restoring = createFileRestore(options);
	const endOf = (changed: Rewound): JobEnd =>
		changed.ok
			? {type: 'done', now: statusAfterChange()}
			: {type: 'refused', code: changed.code, sentence: changed.sentence};
	return {
		methods: {
			changeContext: async change => endOf(await changeContext(history, clock, change)),
			rewind: async to => endOf(await rewindTo(history, clock, to)),
			rename: async title => endOf(await renameSession({history, clock, dir}, title)),
			async restoreFiles(change) {
				const restored = await restoring.restore(change);
				if (restored.type !== 'restored') return restored;
				if (restored.problems.length > 0) onProblem(restored.problems.join(' '));
				return {type: 'done'};
			},
		},
		filesSince: async to => restoring.filesSince(to),
	};
}

type Rewound = {readonly ok: true} | {readonly ok: false; readonly code: Refusal; readonly sentence: string};

/**
Takes the context back to its state right after the item `to` (docs/rewind.md). It commits one rewind and nothing else.
It refuses a rewind that would have no effect, and one that would leave calls without results. A session cannot continue
from the middle of an answer.
*/
async function rewindTo(history: History, clock: Clock, to: string): Promise<Rewound> {
	const {items} = history;
	const at = items.findLastIndex(({id}) => id === to);
	if (at === -1) return {ok: false, code: 'no_such_item', sentence: rewindTexts.noSuchItem(to)};
	if (at === items.length - 1) return {ok: false, code: 'empty', sentence: rewindTexts.nothingLater};
	const rewind = stamp(clock, {type: 'rewind', to});
	if (resumableCalls([...items, rewind]).length > 0)
		return {
			ok: false,
			code: 'no_such_item',
			sentence: rewindTexts.insideToolCall,
		};
	try {
		await history.append([rewind]);
		return {ok: true};
	} catch (error) {
		if (error instanceof HistoryError) return {ok: false, code: 'io', sentence: error.message};
		throw error;
	}
}
