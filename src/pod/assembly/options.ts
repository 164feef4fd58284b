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
	/** Whether a user can answer questions. In print mode nobody can, so calls that need an approval are refused. */
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
	/** How calls that change something are judged. By default every such call needs an approval. */
	readonly approval?: Pick<ApprovalOptions, 'mode' | 'rules' | 'startedIn'>;
	/** The part of the project's file that only counts with the user's trust. The first `subscribe` asks for it. */
	readonly untrusted?: UntrustedManifest;
	/** Tools that the pod offers besides its own. */
	readonly moreTools?: readonly Tool[];
};

export type PodModel = {
	readonly name: string;
	/** Loads the model's provider. The first request calls it. */
	readonly load: () => Promise<Model>;
	/** The user's settings about models, by model name. */
	readonly facts?: Readonly<Record<string, ModelFacts>>;
	/** Asks the model's own server for a description of the model. */
	readonly describe?: () => Promise<ModelDescription | undefined>;
	/** The settings of the model's requests. They are part of the setup, so history contains them. */
	readonly settings?: Settings;
};
