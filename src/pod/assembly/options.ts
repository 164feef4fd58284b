import type {Clock, Model, ModelDescription, Settings, Tool} from '../../worker/index.ts';
import type {ApprovalOptions} from '../approval/approvals.ts';
import type {CompactHook} from '../compaction/compaction.ts';
import type {Limits} from '../config/limits.ts';
import type {ModelFacts} from '../context/catalogue.ts';
import type {Env} from '../env/env.ts';
import type {ToolHooks} from '../hooks/tool-hooks.ts';
import type {UntrustedManifest} from '../manifest/load-manifest.ts';
import type {Scope} from '../scope/scope.ts';
import type {Session} from '../session/session.ts';
import type {PromptHook} from '../submission/submission.ts';

export type PodOptions = {
	readonly session: Session;
	readonly scope: Scope;
	readonly limits: Limits;
	readonly clock: Clock;
	readonly model: PodModel;
	readonly env: Env;
	/** Whether somebody can be asked. In print mode nobody can: what would ask is refused. */
	readonly attended: boolean;
	/** Trusts what needs trust as it is when it is first looked at, while this pod is open. */
	readonly trustPresent?: boolean;
	/** The user named the folder to work in. Else they are asked before a session continues in another one. */
	readonly isFolderChosen?: boolean;
	readonly hook?: PromptHook;
	readonly compactHook?: CompactHook;
	readonly toolHooks?: ToolHooks;
	/** How calls that change something are judged. Default: all of them are asked about. */
	readonly approval?: Pick<ApprovalOptions, 'mode' | 'rules' | 'startedIn'>;
	/** The part of the project's file that counts only when the user trusts it. The first `subscribe` asks. */
	readonly untrusted?: UntrustedManifest;
	/** Tools beside the pod's own. */
	readonly moreTools?: readonly Tool[];
};

export type PodModel = {
	readonly name: string;
	/** Loads the wire when it is first needed. */
	readonly load: () => Promise<Model>;
	/** What the user configured about models, by their names. */
	readonly facts?: Readonly<Record<string, ModelFacts>>;
	/** Asks the model's own server about it. */
	readonly describe?: () => Promise<ModelDescription | undefined>;
	/** The settings of its requests: part of the setup, so they are in history. */
	readonly settings?: Settings;
};
