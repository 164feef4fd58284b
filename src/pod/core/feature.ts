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
A capability of a pod, with everything that it adds. The core does not depend on any single feature. The core calls the
features in the order of their list, and a later feature can use an earlier feature.
*/
export type Feature = {
	/** The name is unique in a pod. */
	readonly name: string;
	readonly tools?: readonly Tool[];
	/** Tools that change while the pod is open. A request lists them after all `tools`. */
	readonly changingTools?: ChangingTools;
	readonly interceptors?: Interceptors;
	readonly methods?: Partial<FeatureMethods>;
	readonly queries?: Partial<Queries>;
	/** The things that a message can refer to. */
	readonly references?: References;
	/** Returns the feature's parts of the next system prompt. */
	readonly setup?: () => Promise<PromptParts>;
	/** Returns the running work that would end with the session. */
	readonly running?: () => Running;
	/**
	Returns the items that end the unfinished work of an interrupted run. `isResumed`: the run is resumed and continues
	the work of its calls.
	*/
	readonly lost?: (how: {readonly isResumed: boolean}) => Promise<readonly Item[]>;
	/** Called after the approval mode of the pod has changed. */
	readonly setMode?: (mode: ApprovalMode) => void;
	/** Called when the first client subscribes, because no client can show alerts and questions earlier. */
	readonly start?: () => void;
	/** Stops the feature. The pod stops the last feature first. Returns notices for the model. */
	readonly stop?: (() => Promise<readonly string[] | void>) | undefined;
};

/** The queries of a client. A feature may implement some of them. */
export type Queries = Omit<PodClient, 'subscribe' | 'send'>;

type ChangingTools = {
	/** Returns the tools of the next request. */
	readonly tools: () => readonly Tool[];
	/** Prepares a run. Resolves soon after the signal is aborted. */
	readonly prepare: (signal: AbortSignal) => Promise<void>;
	/** Looks for changes before a request. Returns whether the tools have changed. */
	readonly renew: (signal: AbortSignal) => Promise<boolean>;
	/**
	Whether a request may leave out the definitions of these tools. The model then uses `find_tools` and `call_tool`.
	*/
	readonly areDeferrable?: true;
};

/** `signal` is the signal of the run. */
type Interceptors = {
	/** Sees the calls that approvals and hooks allow. */
	readonly calls?: (signal: AbortSignal) => Interceptor;
	/** Sees the requests that no earlier interceptor stopped. */
	readonly requests?: (signal: AbortSignal) => Interceptor;
};

type References = {
	/** Adds workflows to the workflows of earlier features. */
	readonly workflows?: (earlier: WorkflowSource) => WorkflowSource;
	/** Adds workflows for a preview, without asking the user. */
	readonly preview?: (earlier: WorkflowSource) => WorkflowSource;
	/** Returns the workflows that the completion popup offers. */
	readonly offered?: () => Promise<readonly NamedWorkflow[]>;
	readonly web?: WebRefReader;
	readonly resources?: ResourceReader;
	/** Returns the resources that the completion popup offers for the text after `@`. */
	readonly offeredResources?: (text: string) => Promise<readonly string[]>;
	/** Called when inkpod is about to send the attachments of a message. */
	readonly accept?: (attachments: readonly Message[]) => Promise<void>;
};

/** Combines the references of all features. */
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
