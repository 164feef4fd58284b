import {contains} from '../../ground/files/contains.ts';
import {quoteUntrusted} from '../../ground/text/one-line.ts';
import {createScope, type Scope} from '../../scope/scope.ts';
import type {ChildSpec} from '../children/child-session.ts';
import type {Env} from '../../ground/env/env.ts';
import type {Ask} from '../../protocol.ts';
import type {Answer} from '../../permissions/approval/asks.ts';
import {gitRoot} from '../../scope/git-root.ts';
import {worktreeTexts as texts} from './texts.ts';
import {
	createWorktree,
	gitFoldersOf,
	mergeWorktree,
	planWorktree,
	removeWorktree,
	worktreeDiff,
	worktreePath,
	type Worktree,
	type WorktreeGit,
} from './worktree.ts';

type AskUser = (question: Omit<Ask, 'id'>, signal: AbortSignal) => Promise<Answer | undefined>;

type WorktreesOptions = {
	/** The scope of the parent. */
	readonly scope: Scope;
	readonly env: Env;
	/** Absent if no user can answer. */
	readonly ask?: AskUser | undefined;
};

type WorktreeMade =
	| {readonly ok: true; readonly worktree: Worktree; readonly pwd: string}
	| {readonly ok: false; readonly sentence: string};

/** The worktrees of the child sessions of a session. */
export type Worktrees = {
	/** Creates a worktree, if the user agrees. */
	make(child: string, title: string, signal: AbortSignal): Promise<WorktreeMade>;
	/**
	Returns the working directory and the git folders of a stored child's worktree, or `undefined` if the worktree no
	longer exists.
	*/
	find(spec: ChildSpec): Promise<{readonly pwd: string; readonly git: WorktreeGit | undefined} | undefined>;
	/**
	Lets the user decide about the changes of a child that has ended. Returns a line for the model about the decision.
	*/
	finish(spec: ChildSpec, signal: AbortSignal): Promise<string | undefined>;
};

export function createWorktrees({scope, env, ask}: WorktreesOptions): Worktrees {
	const place: Place = {owners: scope.owners, env};
	return {
		async make(child, title, signal) {
			if (ask === undefined) return {ok: false, sentence: texts.unattended};
			const planned = await planWorktree(scope, env, child);
			if (!planned.ok) return planned;
			const {path} = planned.worktree;
			const answer = await ask(
				{
					title: texts.create(title),
					detail: texts.createDetail(path),
					choices: [
						{choice: 'create', label: texts.yes},
						{choice: 'deny', label: texts.no, refuses: true},
					],
				},
				signal,
			);
			signal.throwIfAborted();
			if (answer?.choice !== 'create') return {ok: false, sentence: texts.denied};
			const made = await createWorktree(planned.worktree, place);
			return made.ok ? planned : made;
		},
		async find({child, worktree, scope: own}) {
			// The paths come from a history that another user may have written.
			const isOurs =
				worktree?.path === worktreePath(env, child) && worktree.root === gitRoot(scope.pwd, scope.owners);
			if (worktree === undefined || !isOurs || !contains(worktree.path, own.pwd)) return undefined;
			const created = await createScope({pwd: own.pwd, home: scope.home});
			if (!created.ok) return undefined;
			return {pwd: created.scope.pwd, git: await gitFoldersOf(worktree, place)};
		},
		async finish(spec, signal) {
			const {worktree} = spec;
			if (worktree === undefined) return undefined;
			if (worktree.path !== worktreePath(env, spec.child)) return texts.gone(worktree.path);
			const diff = await worktreeDiff(worktree, place);
			if (!diff.ok) return texts.notMerged(worktree.path, diff.sentence);
			if (diff.text === '') {
				await removeWorktree(worktree, place);
				return texts.unchanged;
			}
			const answer = await ask?.(mergeCard(spec.title, diff), signal);
			return decide(answer?.choice, worktree, diff.text, place);
		},
	};
}

type Place = Parameters<typeof createWorktree>[1];

type Shown = {readonly text: string; readonly runLater: readonly string[]};

/** Names the changed files that other programs run, because the card may show only a part of the diff. */
function mergeCard(title: string, {text, runLater}: Shown): Omit<Ask, 'id'> {
	const shown = Buffer.from(text, 'latin1').toString('utf8');
	const detail = shown.length > maxShown ? `${shown.slice(0, maxShown)}\n${texts.cut}` : shown;
	return {
		title: texts.merge(title),
		detail,
		...(runLater.length > 0 && {note: texts.runLater(runLater.map(path => quoteUntrusted(path)).join(', '))}),
		shows: 'diff',
		choices: [
			{choice: 'merge', label: texts.mergeYes},
			{choice: 'discard', label: texts.mergeDiscard},
			{choice: 'keep', label: texts.mergeKeep, refuses: true},
		],
	};
}

async function decide(choice: string | undefined, worktree: Worktree, patch: string, place: Place): Promise<string> {
	if (choice === 'merge') {
		const merged = await mergeWorktree(worktree, patch, place);
		if (!merged.ok) return texts.notMerged(worktree.path, merged.sentence);
		await removeWorktree(worktree, place);
		return texts.merged;
	}
	if (choice !== 'discard') return texts.kept(worktree.path);
	await removeWorktree(worktree, place);
	return texts.discarded;
}

const maxShown = 100_000;
