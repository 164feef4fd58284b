import {constants} from 'node:fs';
import {dirname} from 'node:path';
import type {Item, ItemOf} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {realFiles, WrongKind, type Files} from '../files.ts';
import {entries} from '../list/list.ts';
import {compactionsDir, historyFile, sideDir, sideId} from '../paths.ts';
import {readSession, type StoredSession} from '../log/read.ts';
import {sideTexts} from '../texts.ts';
import {copyFile} from '../bodies/hashed-files.ts';

/** A compaction whose conversation is a side session. Compactions of early versions have none. */
export type LinkedCompaction = ItemOf<'compaction'> & Required<Pick<ItemOf<'compaction'>, 'conversation'>>;

/**
Returns the compactions with a side session. If the items come from the raw lines of a file, the ids may be any text.
*/
export function linkedCompactions(items: readonly Item[]): readonly LinkedCompaction[] {
	return items.filter(
		(item): item is LinkedCompaction => item.type === 'compaction' && item.conversation !== undefined,
	);
}

/**
Returns the ids of a session's side sessions, the earliest first. Leaves out side sessions whose first commit did not
finish, because nothing was sent in them. Rejects with the system's error if the folder cannot be read.
*/
export async function summaryIds(dir: string, files: Files = realFiles): Promise<readonly string[]> {
	const names = (await entries(compactionsDir(dir), files)).filter(name => sideId.test(name)).toSorted();
	const isThere = await Promise.all(
		names.map(async name =>
			files.stat(historyFile(sideDir(dir, name))).then(
				() => true,
				() => false,
			),
		),
	);
	return names.filter((_, index) => isThere[index]);
}

/**
Returns the ids of the side sessions whose compaction did not finish. `items` contain no item of such a compaction.
*/
export async function unfinishedIds(
	dir: string,
	items: readonly Item[],
	files: Files = realFiles,
): Promise<readonly string[]> {
	const finished = new Set(items.flatMap(({type, id}) => (type === 'compaction' ? [id] : [])));
	return (await summaryIds(dir, files)).filter(id => !finished.has(id));
}

/**
Yields the items of each unfinished side session that can be read and is not too large. Never throws because of a disk
error.
*/
export async function* unfinishedConversations(
	dir: string,
	items: readonly Item[],
	files: Files = realFiles,
): AsyncGenerator<{readonly id: string; readonly items: readonly Item[]}> {
	for (const id of await unfinishedIds(dir, items, files).catch(() => [])) {
		const read = await readConversation(dir, id, undefined, files);
		if ('items' in read) yield {id, items: read.items};
	}
}

/** The maximum size of a conversation that is read as a whole, for the screen or for its cost, in bytes. */
export const maxConversationBytes = 16 * 1024 * 1024;

/**
Reads the conversation of a compaction for the screen. `named` is the reference in the compaction's item. Returns a
sentence if the conversation cannot be read. If it is not the conversation that the item names, the result begins with a
notice.
*/
export async function readConversation(
	dir: string,
	id: string,
	named?: LinkedCompaction['conversation'],
	files: Files = realFiles,
): Promise<{readonly items: Item[]} | {readonly sentence: string}> {
	if (!sideId.test(id)) return {sentence: sideTexts.missing};
	const path = historyFile(sideDir(dir, id));
	const stat = await files.stat(path).catch(() => undefined);
	if (stat === undefined) return {sentence: sideTexts.missing};
	if (stat.size > maxConversationBytes) return {sentence: sideTexts.tooLarge(path)};
	const read = await readSession(sideDir(dir, id), refusingLinks(files));
	if (!read.ok) return {sentence: read.sentence};
	const {session} = read;
	if (isOfOther(session)) return {sentence: sideTexts.different};
	const isNamed = named === undefined || isNamedBy(session, named);
	return {items: [...(isNamed ? [] : [differentNotice(session)]), ...session.items]};
}

/** Tells whether the header is intact but names another session than the folder. */
export function isOfOther({id, decoded}: StoredSession): boolean {
	return decoded.isHeaderSound && decoded.header.session !== id;
}

/**
Tells whether this is the conversation that an item names. The user may have removed text from it later. A repaired copy
has another chain, so it is recognized by its fork.
*/
export function isNamedBy({id, decoded}: StoredSession, named: LinkedCompaction['conversation']): boolean {
	const {fork} = decoded.header;
	const last = decoded.lines.at(-1);
	if (fork?.session === id && last !== undefined && 'item' in last && last.item.id === fork.to) return true;
	return decoded.settled.sum === named.chain && decoded.settled.items === named.items;
}

/**
Returns a file system that opens a history only if neither the history nor one of the two folders above it is a link.
*/
export function refusingLinks(files: Files): Files {
	return {
		...files,
		async open(path, flags, mode) {
			const side = dirname(path);
			for (const folder of [dirname(side), side])
				await (await openUnlinked(files, folder, constants.O_DIRECTORY)).close();
			return openUnlinked(files, path, typeof flags === 'number' ? flags : 0, mode);
		},
	};
}

/**
Copies side sessions from one session's folder to another session's folder, byte by byte, so that their chains stay the
same. Returns the ids of side sessions that could not be copied. The ids may come from another user's history, so they
are checked.
*/
export async function copySummaries(
	from: string,
	to: string,
	ids: readonly string[],
	files: Files,
): Promise<readonly string[]> {
	const failed: string[] = [];
	for (const id of ids) {
		if (!sideId.test(id) || !(await isCopied(id, {from, to}, files))) failed.push(id);
	}
	return failed;
}

async function openUnlinked(files: Files, path: string, flags: number, mode?: number): ReturnType<Files['open']> {
	try {
		return await files.open(path, flags | constants.O_NOFOLLOW, mode);
	} catch (error) {
		if (!['ELOOP', 'ENOTDIR'].includes(errorCode(error))) throw error;
		throw new WrongKind('unlinked', path);
	}
}

function differentNotice({created}: StoredSession): Item {
	return {
		id: 'different-conversation',
		at: created,
		type: 'message',
		role: 'system',
		text: sideTexts.differentShown,
		origin: {kind: 'notice', about: 'damaged'},
	};
}

async function isCopied(
	id: string,
	{from, to}: {readonly from: string; readonly to: string},
	files: Files,
): Promise<boolean> {
	try {
		await copyFile(historyFile(sideDir(from, id)), historyFile(sideDir(to, id)), maxBytes, files);
		return true;
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return false;
	}
}

/**
The maximum size of a copied file. The conversation of a compaction fits in the model's window and is much smaller, so
only a wrong file can exceed this limit.
*/
const maxBytes = 256 * 1024 * 1024;
