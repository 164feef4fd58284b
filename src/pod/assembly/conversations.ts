import type {History, Item} from '../../worker/index.ts';
import type {Conversation} from '../compaction/compaction.ts';
import {addUnfinished, noUnfinished} from '../compaction/unfinished.ts';
import type {Meter} from '../context/meter.ts';
import type {StoredConversation, UnfinishedCompactions} from '../protocol.ts';
import {pathExists} from '../files/path-exists.ts';
import {compactionsDir} from '../session/paths.ts';
import {createSideSession} from '../session/side.ts';
import type {PodOptions} from './options.ts';

/** The conversations of a session's compactions. Each is a side session. */
export type Conversations = {
	/** Creates the conversation of a compaction with this id. */
	create(id: string): Conversation;
	/** Reads the conversation of a compaction. */
	read(id: string): Promise<StoredConversation>;
	/** Counts the conversation of a compaction that did not finish. */
	addUnfinished(items: readonly Item[]): void;
	/** Returns the compactions that did not finish, or `undefined` if there are none. */
	unfinished(): UnfinishedCompactions | undefined;
};

/**
Creates the conversations of a session. After the start, those whose compaction did not finish are counted, also by
the meter.
*/
export function createConversations(
	{session, clock}: Pick<PodOptions, 'session' | 'clock'>,
	history: History,
	meter: Meter,
): Conversations {
	const own = new Set<string>();
	let lost = noUnfinished;
	setImmediate(() => void countUnfinished());

	async function countUnfinished(): Promise<void> {
		if (!(await pathExists(compactionsDir(session.dir)))) return;
		const {unfinishedConversations} = await import('../session/sides.ts');
		for await (const {id, items} of unfinishedConversations(session.dir, history.items))
			if (!own.has(id)) addOne(items, true);
	}

	function addOne(items: readonly Item[], isEarlier = false): void {
		lost = addUnfinished(lost, items);
		meter.addUnfinished(items, isEarlier);
	}

	return {
		addUnfinished: items => addOne(items),
		unfinished: () => (lost.compactions === 0 ? undefined : lost),
		create(id) {
			own.add(id);
			return createSideSession(session, {id}, clock);
		},
		async read(id) {
			const {linkedCompactions, readConversation} = await import('../session/sides.ts');
			const item = linkedCompactions(history.items).find(each => each.id === id);
			return readConversation(session.dir, id, item?.conversation);
		},
	};
}
