import type {Clock, Item} from '../../worker/index.ts';
import type {ApprovalOptions} from '../permissions/approval/approvals.ts';
import type {CompactHook} from '../context/compaction/compaction.ts';
import type {AnsweredRules} from '../permissions/approval/judge.ts';
import type {ConfineSettings} from '../permissions/confine/settings.ts';
import type {Budget} from '../run/budget/budget.ts';
import type {ApprovalMode} from '../protocol.ts';
import type {Asks} from '../permissions/approval/asks.ts';
import type {SessionMode} from '../ground/history/recorded.ts';
import type {Limits} from '../config/limits.ts';
import type {Env} from '../ground/env/env.ts';
import type {ToolHooks} from '../run/hooks/hooks.ts';
import type {Models} from '../models/models.ts';
import type {PodModel} from '../models/current-model.ts';
import type {Scope} from '../scope/scope.ts';
import type {Session} from '../disk/log/log.ts';
import type {Feature} from './feature.ts';
import type {PromptHook} from '../references/submission/submission.ts';

/** The things that a child session gets from its parent. */
export type ChildRole = {
	/** The id of the parent. */
	readonly parent: string;
	readonly title: string;
	/** The questions of the whole family. A question of this child contains the child's title. */
	readonly asks: Asks;
	/** Reports the cost of the child's own compactions and side questions to the parent. */
	readonly spent: (items: readonly Item[]) => void;
	/** The budget of the parent, which the child shares. */
	readonly budget: Budget;
	/** The parent's rules "for this session", if the child has the same working directory. */
	readonly answered?: AnsweredRules;
	/**
	The features of the parent. The child uses some of these features, because the whole family can have only one of
	each.
	*/
	readonly features: readonly Feature[];
	/** The tools that the child may call, if they are limited. */
	readonly tools?: readonly string[] | undefined;
	/** The git folders that the child's commands may write, if the child has its own worktree. */
	readonly git?: {readonly common: string; readonly own: string} | undefined;
	/** Returns the approval mode of the parent. The child's mode is never less strict. */
	readonly parentMode: () => ApprovalMode;
};

/** The options of a pod, without the options of its features. */
export type CoreOptions = {
	readonly session: Session;
	readonly scope: Scope;
	readonly limits: Limits;
	readonly clock: Clock;
	/** The model of the first request. */
	readonly model: PodModel;
	/** Whether only the requested model is allowed to answer. The default is no. */
	readonly isExact?: boolean;
	/** The models that the user can choose from. If they are absent, the user cannot change the model. */
	readonly models?: Models;
	readonly env: Env;
	/**
	Whether a user can answer questions. In print mode no user can answer, so inkpod refuses calls that need approval.
	*/
	readonly attended: boolean;
	/** Whether this pod trusts files in their present state without asking. */
	readonly trustPresent?: boolean;
	/**
	Whether the user named the working directory. If not, inkpod asks before a session continues in another directory.
	*/
	readonly isFolderChosen?: boolean;
	readonly hook?: PromptHook;
	readonly compactHook?: CompactHook;
	readonly toolHooks?: ToolHooks;
	/** The options for decisions about calls that change something. By default, every such call needs approval. */
	readonly approval?: Pick<ApprovalOptions, 'mode' | 'rules' | 'startedIn'>;
	/** A system prompt that replaces inkpod's own. */
	readonly systemPrompt?: string;
	/**
	Whether and how inkpod confines commands. If absent, it does not. `shell`: also confines the user's own commands.
	*/
	readonly confine?: ConfineSettings & {readonly shell?: boolean};
	/** The folder of the files that record the cost of each day. If absent, inkpod does not record the cost. */
	readonly spendingDir?: string;
	/**
	The rules that the user allowed for this session. The pod replaces the list when the user allows another rule.
	*/
	readonly answered?: AnsweredRules;
	/**
	The settings that the user made for the session. The history records them. If absent, the history records none.
	*/
	readonly mode?: SessionMode;
	/** The folders that the session could read before. The user has to allow them again. */
	readonly askedDirs?: readonly string[];
	/** Set on the pod of a child session. */
	readonly child?: ChildRole;
};
