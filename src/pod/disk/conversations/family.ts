import type {Item, ItemOf} from '../../../worker/index.ts';
import {paidItems, type EndedChild} from '../../ground/counts/spent.ts';
import {storedSideQuestions} from './side-questions.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {maxDepth} from '../list/summary.ts';
import {openFile, readAt, realFiles, sizeOf, type Files} from '../files.ts';
import {entries} from '../list/list.ts';
import {sideQuestionsDir, childDir, childrenDir, compactionsDir, historyFile, sessionId} from '../paths.ts';
import {readSession, type StoredSession} from '../log/read.ts';
import {
	linkedCompactions,
	maxConversationBytes,
	readConversation,
	refusingLinks,
	unfinishedConversations,
} from './summary-conversations.ts';

/** The records about the requests of a session's children, compactions and side questions. */
export type Family = {
	/** The items from which the cost of requests is calculated. */
	readonly items: readonly Item[];
	/** The children whose end item records the whole cost, or whose history is missing. */
	readonly ended: readonly EndedChild[];
	/** The conversations of the session's unfinished compactions. */
	readonly unfinished: ReadonlyArray<readonly Item[]>;
};

export type FamilyOptions = {
	readonly files?: Files;
	/** Tells whether this process counts the cost of a compaction or a side question in another way. */
	readonly isOwn?: (id: string) => boolean;
};

/**
Reads the requests of a session's children, compactions and side questions, but not the session's own items. Never
rejects because of a disk error. A missing or unreadable file makes the cost too low, except for a child whose end is
recorded.
*/
export async function readFamily(
	dir: string,
	items: readonly Item[],
	{files = realFiles, isOwn = () => false}: FamilyOptions = {},
): Promise<Family> {
	const found: Found = {items: [], ended: [], unfinished: []};
	await collect(found, dir, items, {files, isOwn, depth: maxDepth});
	return found;
}

type Found = {readonly items: Item[]; readonly ended: EndedChild[]; readonly unfinished: Array<readonly Item[]>};
type Collecting = Required<FamilyOptions> & {readonly depth: number};

async function collect(found: Found, dir: string, items: readonly Item[], how: Collecting): Promise<void> {
	const {files, isOwn, depth} = how;
	for (const item of linkedCompactions(items)) {
		if (isOwn(item.id)) continue;
		const read = await readConversation(dir, item.id, undefined, files);
		const {conversation: _, ...whole} = item;
		found.items.push(...('items' in read ? paidItems(read.items) : [whole]));
	}
	for await (const {id, items: own} of unfinishedConversations(dir, items, files)) {
		if (isOwn(id)) continue;
		if (depth === maxDepth) found.unfinished.push(own);
		found.items.push(...paidItems(own));
	}
	for await (const {id, items: own} of storedSideQuestions(dir, files))
		if (!isOwn(id)) found.items.push(...paidItems(own));
	await collectChildren(found, dir, items, how);
}

async function collectChildren(found: Found, dir: string, items: readonly Item[], how: Collecting): Promise<void> {
	const ends = new Map(items.flatMap(item => (item.type === 'child_ended' ? [[item.child, item]] : [])));
	const started = new Map(items.flatMap(item => (item.type === 'child_started' ? [[item.child, item]] : [])));
	for (const start of started.values()) {
		const end = ends.get(start.child);
		const isKnown = end?.cost !== undefined && (await isWholeCost(dir, end, how.files));
		const read = isKnown || how.depth === 0 ? undefined : await readChild(dir, start.child, how.files);
		if (read !== undefined) {
			found.items.push(...paidItems(read.own));
			await collect(found, read.dir, read.own, {...how, depth: how.depth - 1});
		} else if (end !== undefined) found.ended.push(endedChild(start, end));
	}
}

function endedChild({model}: ItemOf<'child_started'>, {requests, usage, cost, at}: ItemOf<'child_ended'>): EndedChild {
	return {model, requests, usage, cost, at};
}

/**
Tells whether the cost in a child's end item is complete. This is the case if the child's history still ends as the item
records, and the child has no compactions, side questions or children, whose requests would cost more.
*/
async function isWholeCost(dir: string, {child, head}: ItemOf<'child_ended'>, files: Files): Promise<boolean> {
	if (head === undefined || !sessionId.test(child)) return false;
	const own = childDir(dir, child);
	const beside = await Promise.all(
		[compactionsDir(own), sideQuestionsDir(own), childrenDir(own)].map(async path =>
			entries(path, files).catch(() => ['']),
		),
	);
	if (beside.some(names => names.length > 0)) return false;
	try {
		const file = await openFile(refusingLinks(files), historyFile(own));
		try {
			const {size} = await file.stat();
			return (await readAt(file, Math.max(0, size - endBytes), endBytes)).includes(`"sum":"${head.chain}"`);
		} finally {
			await file.close();
		}
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return false;
	}
}

/** Reads a child. Leaves out the items that a forked child copied from its parent. */
async function readChild(
	dir: string,
	child: string,
	files: Files,
): Promise<{readonly dir: string; readonly own: StoredSession['items']} | undefined> {
	if (!sessionId.test(child)) return undefined;
	const own = childDir(dir, child);
	if ((await sizeOf(historyFile(own), files)) > maxChildBytes) return undefined;
	const read = await readSession(own, refusingLinks(files));
	if (!read.ok) return undefined;
	const to = read.session.decoded.header.fork?.to;
	const {items} = read.session;
	return {dir: own, own: to === undefined ? items : items.slice(items.findIndex(({id}) => id === to) + 1)};
}

/** The maximum number of bytes for the checksum of a line and the closing brackets. */
const endBytes = 64;
const maxChildBytes = 8 * maxConversationBytes;
