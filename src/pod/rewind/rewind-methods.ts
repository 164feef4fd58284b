import {changeContext} from '../context/change.ts';
import type {ControllerOptions} from '../controller/controller.ts';
import type {PodClient} from '../protocol.ts';
import type {JobEnd} from '../status/job.ts';
import {createRestoring, type RestoringOptions} from './restoring.ts';
import {rewindTo, type Rewound} from './rewind.ts';

export type RewindMethodsOptions = RestoringOptions & {
	/** The status after a change of the context. */
	readonly standing: () => 'idle' | 'paused';
	/** Called about files that were not restored while others were. */
	readonly onTrouble: (sentence: string) => void;
};

/** Changes of the context, and going back: in the conversation and in the files. */
export type RewindMethods = {
	readonly methods: Pick<ControllerOptions, 'changeContext' | 'rewind' | 'restoreFiles'>;
} & Pick<PodClient, 'filesSince'>;

export function createRewindMethods({standing, onTrouble, ...options}: RewindMethodsOptions): RewindMethods {
	const {history, clock} = options;
	const restoring = createRestoring(options);
	const endOf = (changed: Rewound): JobEnd =>
		changed.ok
			? {type: 'done', now: standing()}
			: {type: 'refused', code: changed.code, sentence: changed.sentence};
	return {
		methods: {
			changeContext: async change => endOf(await changeContext(history, clock, change)),
			rewind: async to => endOf(await rewindTo(history, clock, to)),
			async restoreFiles(change) {
				const restored = await restoring.restore(change);
				if (restored.type !== 'restored') return restored;
				if (restored.problems.length > 0) onTrouble(restored.problems.join(' '));
				return {type: 'done'};
			},
		},
		filesSince: async to => restoring.filesSince(to),
	};
}
