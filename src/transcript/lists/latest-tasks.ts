import type {Task} from '../../pod/protocol.ts';
import type {FoldState} from '../fold-state.ts';

/** Returns the latest list of tasks that no rewind removed. The result depends only on the transcript. */
export function tasksIn({taskLists, blocks}: Pick<FoldState, 'taskLists' | 'blocks'>): readonly Task[] {
	const latest = taskLists.findLast(({block}) => {
		const found = blocks[block];
		return found?.kind === 'tool' && found.rewound !== true && found.result !== undefined;
	});
	return latest?.tasks ?? none;
}

const none: readonly Task[] = [];
