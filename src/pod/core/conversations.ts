import {setImmediate as nextTurn} from 'node:timers/promises';
import type {History, Item} from '../../worker/index.ts';
import type {Conversation} from '../context/compaction/compaction.ts';
import {addUnfinished, noUnfinished} from '../context/compaction/plan.ts';
import type {Meter} from '../ground/counts/meter.ts';
import type {StoredConversation, UnfinishedCompactions} from '../protocol.ts';
import {pathExists} from '../ground/files/path-exists.ts';
import {sideQuestionsDir, compactionsDir} from '../disk/paths.ts';
import {createSideSession} from '../disk/conversations/side-questions.ts';
import type {CoreOptions} from './options.ts';

/** The conversations of a session's compactions. Each conversation is a side session. */
export type Conversations = {
	/** Creates the conversation of the compaction with this id. */
	create(id: string): Conversation;
	/** Reads the conversation of the compaction with this id. */
	read(id: string): Promise<StoredConversation>;
	/** Adds the cost of a compaction's conversation to the meter. */
	add(items: readonly Item[], isFinished: boolean): void;
	/** Returns the compactions that did not finish, or `undefined` if there are none. */
	unfinished(): UnfinishedCompactions | undefined;
	/** Excludes the side question with this id from the recorded cost, because this process counts its cost itself. */
	own(id: string): void;
	/**
	Resolves when the meter has counted the cost of the session's family before this process started. Never rejects.
	*/
	readonly counted: Promise<void>;
};

/**
Creates the conversations of a session. After the start, adds the recorded cost of the session's family to the meter: of
its children, compactions and side questions.
*/
export function createConversations(
	{session, clock}: Pick<CoreOptions, 'session' | 'clock'>,
	history: History,
	meter: Meter,
): Conversations {
	const own = new Set<string>();
	const stored = session.items;
	let lost = noUnfinished;
	const counted = nextTurn().then(countFamily);

	async function countFamily(): Promise<void> {
		if (!(await hasFamily(session.dir, stored))) return;
		const {readFamily} = await import('../disk/conversations/family.ts');
		const family = await readFamily(session.dir, stored, {isOwn: id => own.has(id)});
		for (const items of family.unfinished) lost = addUnfinished(lost, items);
		meter.addFamily(family);
	}

	return {
		counted,
		own: id => void own.add(id),
		add(items, isFinished) {
			if (!isFinished) lost = addUnfinished(lost, items);
			meter.addBeside(items);
		},
		unfinished: () => (lost.compactions === 0 ? undefined : lost),
		create(id) {
			own.add(id);
			return createSideSession(session, {id}, clock);
		},
		async read(id) {
			const {linkedCompactions, readConversation} =
				await import('../disk/conversations/summary-conversations.ts');
			const item = linkedCompactions(history.items).find(each => each.id === id);
			return readConversation(session.dir, id, item?.conversation);
		},
	};
}

async function hasFamily(dir: string, items: readonly Item[]): Promise<boolean> {
	if (items.some(({type}) => type === 'child_started' || type === 'compaction')) return true;
	return (await pathExists(compactionsDir(dir))) || pathExists(sideQuestionsDir(dir));
}
