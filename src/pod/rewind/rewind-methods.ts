import {changeContext} from '../context/change-context.ts';
import type {ControllerOptions} from '../controller/controller.ts';
import type {PodClient} from '../protocol.ts';
import {renameSession} from '../session/rename.ts';
import type {JobEnd} from '../status/job.ts';
import {createFileRestore, type RestoreOptions} from './restore-files.ts';
import {rewindTo, type Rewound} from './rewind.ts';

export type RewindMethodsOptions = RestoreOptions & {
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
