import type {Interceptor, Item, Message, Tool} from '../../worker/index.ts';
import type {ApprovalMode, PodClient} from '../protocol.ts';
import type {NamedWorkflow} from '../references/completion/completion.ts';
import type {PromptParts} from '../references/prompts/prompts.ts';
import type {WebRefReader} from '../references/submission/file-ref.ts';
import type {ResourceReader} from '../references/submission/web-ref.ts';
import {noWorkflows, type WorkflowSource} from '../references/submission/workflow.ts';
import type {Running} from '../run/controller/run-methods.ts';
import type {FeatureMethods} from '../run/controller/controller.ts';

/**
A capability of a pod: everything that it adds, in one value. The core names no feature. Where several features answer,
it asks them in the order of their list, and a later feature may use an earlier one.
*/
export type Feature = {
	/** The name is unique in a pod. */
	readonly name: string;
	readonly tools?: readonly Tool[];
	/** Tools that change while the pod is open. Requests have them after all `tools`. */
	readonly changingTools?: ChangingTools;
	readonly interceptors?: Interceptors;
	readonly methods?: Partial<FeatureMethods>;
	readonly queries?: Partial<Queries>;
	/** What messages can refer to. */
	readonly references?: References;
	/** Returns its parts of the next system prompt. */
	readonly setup?: () => Promise<PromptParts>;
	/** Returns what it runs now and would end with the session. */
	readonly running?: () => Running;
	/**
	Returns the items that end what an interrupted run has left. `isResumed`: a resumed run continues what belongs to its
	calls.
	*/
	readonly lost?: (how: {readonly isResumed: boolean}) => Promise<readonly Item[]>;
	/** Follows the approval mode, which the approvals already have. */
	readonly setMode?: (mode: ApprovalMode) => void;
	/** Begins with the first client, because nobody can see alerts and answer questions earlier. */
	readonly start?: () => void;
	/** Ends everything. The last feature stops first. Returns notices for the model. */
	readonly stop?: () => Promise<readonly string[] | void>;
};

/** The queries of a client that can be those of a feature. */
export type Queries = Omit<PodClient, 'subscribe' | 'send'>;

type ChangingTools = {
	/** Returns the tools of the next request. */
	readonly tools: () => readonly Tool[];
	/** Prepares a run. It ends soon after the signal is aborted. */
	readonly prepare: (signal: AbortSignal) => Promise<void>;
	/** Looks for changes before a request. Returns whether the tools are others now. */
	readonly renew: (signal: AbortSignal) => Promise<boolean>;
	/** Whether a request may only list them, so that the model finds and calls them through other tools. */
	readonly areDeferrable?: true;
};

/** `signal` is the signal of the run. */
type Interceptors = {
	/** Sees the calls that approvals and hooks let run. */
	readonly calls?: (signal: AbortSignal) => Interceptor;
	/** Sees the requests that nothing stops any more. */
	readonly requests?: (signal: AbortSignal) => Interceptor;
};

type References = {
	/** Adds workflows to those of earlier features. */
	readonly workflows?: (earlier: WorkflowSource) => WorkflowSource;
	/** Does the same for a preview, which asks nobody. */
	readonly preview?: (earlier: WorkflowSource) => WorkflowSource;
	/** Returns the workflows that a popup offers. */
	readonly offered?: () => Promise<readonly NamedWorkflow[]>;
	readonly web?: WebRefReader;
	readonly resources?: ResourceReader;
	/** Returns the resources that a popup offers for the text after `@`. */
	readonly offeredResources?: (text: string) => Promise<readonly string[]>;
	/** It is called when the attachments of a message are about to be sent. */
	readonly accept?: (attachments: readonly Message[]) => Promise<void>;
};

/** Returns what all features together let a message refer to. */
export function referencesOf(features: readonly Feature[]) {
	const all = features.flatMap(({references}) => references ?? []);
	return {
		workflows: all.reduce((earlier, {workflows}) => workflows?.(earlier) ?? earlier, noWorkflows),
		preview: all.reduce((earlier, {preview}) => preview?.(earlier) ?? earlier, noWorkflows),
		web: all.find(({web}) => web !== undefined)?.web,
		resources: all.find(({resources}) => resources !== undefined)?.resources,
		offered: async () => (await Promise.all(all.map(async ({offered}) => (await offered?.()) ?? []))).flat(),
		offeredResources: async (text: string) =>
			(await Promise.all(all.map(async each => (await each.offeredResources?.(text)) ?? []))).flat(),
		async accept(attachments: readonly Message[]) {
			for (const {accept} of all) await accept?.(attachments);
		},
	};
}
