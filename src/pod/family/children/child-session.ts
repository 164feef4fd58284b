import {lstat} from 'node:fs/promises';
import {stamp, type Clock, type Item, type ItemOf} from '../../../worker/index.ts';
import {createSession, openSession} from '../../disk/log/open.ts';
import {realFiles} from '../../disk/files.ts';
import {childDir, childrenDir, historyFile, sessionId} from '../../disk/paths.ts';
import {readSession} from '../../disk/log/read.ts';
import type {Session} from '../../disk/log/log.ts';
import {refusingLinks} from '../../disk/conversations/summary-conversations.ts';
import {pathExists} from '../../ground/files/path-exists.ts';
import {childTexts} from './texts.ts';

type OpenedSession = {readonly ok: true; readonly session: Session} | {readonly ok: false; readonly sentence: string};

/** The parent session of children. */
export type ParentSession = Pick<Session, 'id' | 'dir'>;

/**
Creates the session of a child in the folder of its parent. A forked child begins with a copy of the parent's items. An
added `run_end` ends the last run of this copy, so that the task follows a complete conversation.
*/
export async function createChildSession(
	parent: ParentSession,
	{child, scope, context}: ChildSpec,
	copied: readonly Item[],
	clock: Clock,
): Promise<OpenedSession> {
	const last = copied.at(-1);
	const isFork = context === 'fork' && last !== undefined;
	const made = createSession(
		{
			root: '',
			project: childrenDir(parent.dir),
			cwd: scope.pwd,
			id: child,
			...(isFork && {fork: {session: parent.id, to: last.id}}),
		},
		clock,
	);
	if (!isFork) return {ok: true, session: made};
	await made.log.write([...copied, ...endOf(copied, clock)]);
	await made.close();
	return openSession(made.dir, clock);
}

/** Returns a `run_end` item if the copied items do not end with one. */
function endOf(copied: readonly Item[], clock: Clock): readonly Item[] {
	return copied.at(-1)?.type === 'run_end' ? [] : [stamp(clock, {type: 'run_end', outcome: 'finished'})];
}

/**
Opens the stored session of a child, or refuses with a sentence. The id may come from a history that another user wrote.
*/
export async function openChildSession(parent: ParentSession, child: string, clock: Clock): Promise<OpenedSession> {
	if (!(await isStored(parent, child))) return {ok: false, sentence: childTexts.missing};
	return openSession(childDir(parent.dir, child), clock);
}

/**
Tells whether a child has a history on disk. A child has none if its first commit did not finish. A symbolic link does
not count as a child's folder.
*/
export async function isStored({dir}: ParentSession, child: string): Promise<boolean> {
	if (!sessionId.test(child)) return false;
	const own = childDir(dir, child);
	const folders = await Promise.all([childrenDir(dir), own].map(async path => lstat(path).catch(() => undefined)));
	return folders.every(stats => stats?.isDirectory() === true) && pathExists(historyFile(own));
}

/**
A child as it is stored. `items` are the items that its next start would show. `head` identifies the state of its
history.
*/
export type StoredChild = {
	readonly items: readonly Item[];
	readonly head: NonNullable<ItemOf<'child_ended'>['head']>;
};

/** Reads the items of a child without opening it. Returns `undefined` if the history cannot be read. */
export async function readChild({dir}: ParentSession, child: string): Promise<StoredChild | undefined> {
	if (!sessionId.test(child)) return undefined;
	const read = await readSession(childDir(dir, child), refusingLinks(realFiles));
	if (!read.ok) return undefined;
	const {items, decoded} = read.session;
	return {items, head: {items: decoded.lines.length, chain: decoded.sum}};
}

/**
The facts about a child from its `child_started` item in the parent's history. The texts come from the model or the
user.
*/
export type ChildSpec = Omit<ItemOf<'child_started'>, 'id' | 'at' | 'type'>;

export function specOf({id: _id, at: _at, type: _type, ...spec}: ItemOf<'child_started'>): ChildSpec {
	return spec;
}

/** The end of a child's work. `text` is the child's final answer, or the received part of an unfinished answer. */
export type ChildEnd = {
	readonly outcome: ItemOf<'child_ended'>['outcome'];
	readonly text: string;
	/** The reason why the child failed, as a sentence. */
	readonly cause?: string | undefined;
};
