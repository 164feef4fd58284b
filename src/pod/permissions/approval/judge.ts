import type {ToolEffect} from '../../../worker/index.ts';
import type {Env} from '../../ground/env/env.ts';
import {resolveAllLinks} from '../../scope/locate.ts';
import type {Scope} from '../../scope/scope.ts';
import {patternsFor} from './command-chain.ts';
import type {CommandPattern} from './command-starts.ts';
import {decide, type Decision, type Rules} from './decision.ts';
import type {PermissionInfo} from '../../protocol.ts';
import type {SavedRules} from './saved-rules.ts';
import type {ApprovalMode} from '../../protocol/approval-mode.ts';
import {permissionTexts} from './texts.ts';
import {foldersNamed, type Rule, type Subject} from './rule.ts';

/** A call with all facts that a decision needs, except facts that may change while a card is open, such as the mode. */
export type InspectedCall = {
	readonly tool: string;
	readonly effect: ToolEffect;
	readonly subject: Subject;
	readonly answered: readonly Rule[];
};

/** Decides about calls according to the current rules, the mode and the user's earlier answers. */
export type Judge = {
	/**
	Collects the facts about a call. Follows the links that rules name. Reads the saved answers if the call would
	otherwise need approval.
	*/
	inspect(tool: string, effect: ToolEffect, subject: Subject): Promise<InspectedCall>;
	judge(inspected: InspectedCall): Decision;
	/**
	Returns the patterns that a card may offer. If a rule asks, the card offers none, because the rule would ask again.
	*/
	patternsFor(inspected: InspectedCall, decision: AskDecision): readonly CommandPattern[] | undefined;
	/** Adds a rule to the session. `always`: the rule is also saved for later sessions. */
	remember(rule: Rule, always: boolean): Promise<void>;
	/** Returns the current rules of the two configuration files. */
	rules(): Omit<Rules, 'answered'>;
	/** Lists everything that currently decides about calls. */
	permissions(): Promise<readonly PermissionInfo[]>;
	/** Removes a rule that `remember` added. Resolves with a sentence if the removal failed. */
	forget(id: string): Promise<string | undefined>;
	mode(): ApprovalMode;
	setMode(mode: ApprovalMode): void;
	setProjectRules(rules: readonly Rule[]): void;
};

type AskDecision = Extract<Decision, {type: 'ask'}>;

type JudgeOptions = {
	readonly scope: Pick<Scope, 'pwd' | 'writable'>;
	readonly env: Env;
	readonly mode: ApprovalMode;
	readonly rules: Omit<Rules, 'answered'>;
	/** The rules "for this session". A child session may share the rules of its parent. */
	readonly answered?: AnsweredRules;
	/** Called if a rule could not be saved. */
	readonly onTrouble: (sentence: string) => void;
};

/** The rules that the user allowed for a session. */
export type AnsweredRules = {rules: readonly Rule[]};

export function createJudge(options: JudgeOptions): Judge {
	const {scope, env, mode: firstMode, rules, answered: session = {rules: []}, onTrouble} = options;
	let mode = firstMode;
	let {project} = rules;
	let savedRules: Promise<SavedRules> | undefined;
	const open = async () =>
		import('./saved-rules.ts').then(async ({openSavedRules}) => openSavedRules(env, scope.pwd));
	const saved = async () => (savedRules ??= open());
	const judge: Judge['judge'] = ({answered, ...call}) =>
		decide({...call, mode, writable: scope.writable, rules: {user: rules.user, project, answered}});

	return {
		judge,
		async inspect(tool, effect, subject) {
			const inspected = {
				tool,
				effect,
				subject: await withLeads(tool, subject, [rules.user, project]),
				answered: session.rules,
			};
			if (judge(inspected).type !== 'ask') return inspected;
			return {
				...inspected,
				answered: [...session.rules, ...(await (await saved()).read()).map(({rule}) => rule)],
			};
		},
		patternsFor({tool, subject, answered}, {reason}) {
			if (subject.kind !== 'command' || reason === 'rule') return undefined;
			const lists = {user: rules.user, project: scope.writable ? project : [], answered};
			return patternsFor(subject.command, tool, lists);
		},
		async remember(rule, always) {
			session.rules = [...session.rules, rule];
			const trouble = always ? await (await saved()).add(rule) : undefined;
			if (trouble !== undefined) onTrouble(trouble);
		},
		rules: () => ({user: rules.user, project}),
		async permissions() {
			const {listPermissions} = await import('./permissions.ts');
			const {writable} = scope;
			const {user} = rules;
			return listPermissions({
				user,
				project,
				session: session.rules,
				saved: await (await saved()).read(),
				mode,
				writable,
			});
		},
		async forget(id) {
			const {savedIdOf, withoutRule} = await import('./permissions.ts');
			const savedId = savedIdOf(id);
			if (savedId === undefined) {
				const left = withoutRule(session.rules, id);
				const isKnown = left.length < session.rules.length;
				session.rules = left;
				return isKnown ? undefined : permissionTexts.noSuchRule;
			}
			const store = await saved();
			const known = (await store.read()).find(each => each.id === savedId);
			const trouble = await store.remove(savedId);
			if (trouble === undefined && known !== undefined) session.rules = withoutRule(session.rules, known.rule);
			return trouble;
		},
		mode: () => mode,
		setMode(next) {
			mode = next;
		},
		setProjectRules(next) {
			project = next;
		},
	};
}

/** Returns a subject with the real paths of the folders that a tool's rules name. Most rules name no folder. */
async function withLeads(tool: string, subject: Subject, lists: ReadonlyArray<readonly Rule[]>): Promise<Subject> {
	if (subject.kind !== 'path') return subject;
	const {place} = subject;
	const folders = new Set(lists.flatMap(rules => foldersNamed(rules, tool, place)));
	if (folders.size === 0) return subject;
	const leads = await resolveAllLinks([...folders]);
	return {...subject, place: {...place, leads}};
}
