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

/** What a child session shares with its parent. */
export type ChildRole = {
	/** The id of the parent. */
	readonly parent: string;
	readonly title: string;
	/** The questions of the whole family, in which those of this child have its name. */
	readonly asks: Asks;
	/** Tells the parent what the child's own compactions and side questions cost. */
	readonly spent: (items: readonly Item[]) => void;
	/** The child draws from the budget of its parent. */
	readonly budget: Budget;
	/** The parent's rules "for this session", if the child has the same working directory. */
	readonly answered?: AnsweredRules;
	/** The features of the parent. The child shares what it may not have twice. */
	readonly features: readonly Feature[];
	/** The tools that the child may call, if they are limited. */
	readonly tools?: readonly string[] | undefined;
	/** The git folders that its commands write, if it has a worktree of its own. */
	readonly git?: {readonly common: string; readonly own: string} | undefined;
	/** Returns the mode of the parent. The child's is never less strict. */
	readonly parentMode: () => ApprovalMode;
};

/** The options of a pod, without those of its features. */
export type CoreOptions = {
	readonly session: Session;
	readonly scope: Scope;
	readonly limits: Limits;
	readonly clock: Clock;
	/** The model of the first request. */
	readonly model: PodModel;
	/** The other models. Without them, nobody can choose another model. */
	readonly models?: Models;
	readonly env: Env;
	/** Whether a user can answer questions. In print mode nobody can, so calls that need approval are refused. */
	readonly attended: boolean;
	/** Whether this pod trusts files as it first finds them, without a question. */
	readonly trustPresent?: boolean;
	/**
	Whether the user named the folder to work in. If not, inkpod asks before a session continues in another folder.
	*/
	readonly isFolderChosen?: boolean;
	readonly hook?: PromptHook;
	readonly compactHook?: CompactHook;
	readonly toolHooks?: ToolHooks;
	/** The options for deciding about calls that change something. By default every such call needs approval. */
	readonly approval?: Pick<ApprovalOptions, 'mode' | 'rules' | 'startedIn'>;
	/** The system prompt, instead of that of inkpod. */
	readonly systemPrompt?: string;
	/** Whether and how commands are confined. Without it they are not. `shell`: those of the user, too. */
	readonly confine?: ConfineSettings & {readonly shell?: boolean};
	/** The folder of the files with what each day cost. Without it nothing is recorded. */
	readonly spendingDir?: string;
	/** The rules that the user allows for this session. The pod replaces them as it learns them. */
	readonly answered?: AnsweredRules;
	/** What the user has set for the session. The history records it. Absent: nothing is recorded. */
	readonly mode?: SessionMode;
	/** The folders that the session could read before, which the user has to allow again. */
	readonly askedDirs?: readonly string[];
	/** Set on the pod of a child session. */
	readonly child?: ChildRole;
};
