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

/** The session that children belong to. */
export type ParentSession = Pick<Session, 'id' | 'dir'>;

/**
Creates the session of a child beside its parent. A forked child begins with a copy of the parent's items, whose last
run it ends, so that the task follows a complete conversation.
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

/** Returns the end of the run that the copied items interrupt. */
function endOf(copied: readonly Item[], clock: Clock): readonly Item[] {
	return copied.at(-1)?.type === 'run_end' ? [] : [stamp(clock, {type: 'run_end', outcome: 'finished'})];
}

/** Opens the stored session of a child, or refuses with a sentence. An id may come from a history by someone else. */
export async function openChildSession(parent: ParentSession, child: string, clock: Clock): Promise<OpenedSession> {
	if (!(await isStored(parent, child))) return {ok: false, sentence: childTexts.missing};
	return openSession(childDir(parent.dir, child), clock);
}

/** Tells whether a child has a history. Its first commit may not have finished. A link is not a child's folder. */
export async function isStored({dir}: ParentSession, child: string): Promise<boolean> {
	if (!sessionId.test(child)) return false;
	const own = childDir(dir, child);
	const folders = await Promise.all([childrenDir(dir), own].map(async path => lstat(path).catch(() => undefined)));
	return folders.every(stats => stats?.isDirectory() === true) && pathExists(historyFile(own));
}

/** `items` are what its next start would show. `head` identifies its history. */
export type StoredChild = {
	readonly items: readonly Item[];
	readonly head: NonNullable<ItemOf<'child_ended'>['head']>;
};

/** Reads the items of a child without opening it. Returns `undefined` if it cannot be read. */
export async function readChild({dir}: ParentSession, child: string): Promise<StoredChild | undefined> {
	if (!sessionId.test(child)) return undefined;
	const read = await readSession(childDir(dir, child), refusingLinks(realFiles));
	if (!read.ok) return undefined;
	const {items, decoded} = read.session;
	return {items, head: {items: decoded.lines.length, chain: decoded.sum}};
}

/** What a child session is for, as its start in the parent's history says. All texts are the model's or the user's. */
export type ChildSpec = Omit<ItemOf<'child_started'>, 'id' | 'at' | 'type'>;

export function specOf({id: _id, at: _at, type: _type, ...spec}: ItemOf<'child_started'>): ChildSpec {
	return spec;
}

/** The end of a child's work. `text` is its final answer, or the last words of an unfinished one. */
export type ChildEnd = {
	readonly outcome: ItemOf<'child_ended'>['outcome'];
	readonly text: string;
	/** Why it failed, as a sentence. */
	readonly cause?: string | undefined;
};
