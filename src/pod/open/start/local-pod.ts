import type {AnsweredRules} from '../../permissions/approval/judge.ts';
import type {Env} from '../../ground/env/env.ts';
import type {PodClient} from '../../protocol.ts';
import type {Session} from '../../disk/log/log.ts';
import type {ChatOptions} from './options.ts';
import {startTexts, ownPartsTexts} from './texts.ts';
import type {Model} from '../../../worker/index.ts';
import type {Feature} from '../../core/feature.ts';
import type {CreateFeature} from '../../core/pod-parts.ts';
import type {Models} from '../../models/models.ts';
import type {PodModel} from '../../models/current-model.ts';
import {callToolName} from '../../protocol/named-call.ts';
import {toolFactsOf} from '../../protocol/tool-definitions.ts';

/** A pod with its session, ready for a screen. */
export type OpenPod = {
	readonly pod: PodClient;
	/**
	The session of the pod. The session changes if this terminal is attached and the other process ends before the
	session has a message.
	*/
	readonly session: Pick<Session, 'id' | 'dir' | 'prepare'>;
	/**
	Lets other terminals attach, unless the user passed `--no-socket`. The first call resolves with a warning if that
	fails.
	*/
	readonly listen: () => Promise<string | undefined>;
	/** The rules that the user allowed for this session, if this process runs it. */
	readonly answered?: AnsweredRules;
	/** Set on a child session: the parent session, which has the same process and screen. */
	readonly parent?: OpenPod;
	/** Set on a session of another machine: the name of that machine for ssh. */
	readonly remote?: string;
	/** Ends this view of a child session. */
	readonly release?: () => Promise<void>;
	/**
	Tells whether another process owns the session. When that process ends, this process may take the session over.
	*/
	readonly isAttached: () => boolean;
};

/** A pod in this process. `pwd` is the working directory of its scope. */
type Local = Pick<OpenPod, 'pod' | 'session' | 'answered'> & {readonly pwd: string};

/** Creates the pod of this process for a screen. */
export function createLocalPod(local: Local, options: ChatOptions, env: Env): OpenPod {
	const {pod, session, answered} = local;
	return {pod, session, answered, isAttached: () => false, listen: listener(local, options, env)};
}

/** The parts that a program adds to its pod: its own model and its own features. */
export type OwnParts = {
	/**
	The model that replaces the plan's model. Its name is `own/NAME`, so that nobody takes it for a provider's model.
	*/
	readonly model?: Model;
	/** The program's features. Their tools need the same approvals as inkpod's tools with the same `effect`. */
	readonly features?: readonly Feature[];
};

/** Returns the reason why these parts cannot be used, as a sentence. */
export function ownPartsProblem({model, features = []}: OwnParts): string | undefined {
	if (model !== undefined && !modelName.test(model.name)) return ownPartsTexts.modelName(model.name);
	const names = features.flatMap(({tools = []}) => tools.map(({definition}) => definition.name));
	const bad = names.find(name => !toolName.test(name) || name.includes('__'));
	if (bad !== undefined) return ownPartsTexts.toolName(bad);
	const builtIn = names.find(name => toolFactsOf(name) !== undefined || name === callToolName);
	if (builtIn !== undefined) return ownPartsTexts.builtIn(builtIn);
	const twice = names.find((name, index) => names.indexOf(name) !== index);
	return twice === undefined ? undefined : ownPartsTexts.twice(twice);
}

/**
Returns functions that create a program's features for a pod. A child session shares the features of its parent and does
not stop them.
*/
export function createOwnFeatures({features = []}: OwnParts): readonly CreateFeature[] {
	return features.map(
		({stop, ...shared}) =>
			({options: {child}}) =>
				child === undefined ? {...shared, stop} : shared,
	);
}

/** The prefix of the name of a program's own model. */
export const ownPrefix = 'own/';

/** Returns a program's own model in the form that a session uses. */
export function ownPodModel(model: Model, facts: PodModel['facts']): PodModel {
	return {name: model.name, load: async () => model, facts};
}

/** Adds a program's own model to the models that the user can choose, so that the session can return to it. */
export function withOwnModel(models: Models, own: PodModel): Models {
	return {
		...models,
		open: async (name, effort, how) =>
			name === own.name ? {ok: true, model: own} : models.open(name, effort, how),
	};
}

/**
Returns a function that starts the socket server once. Its first call loads the code of the server. If the pod closes
meanwhile, no server starts.
*/
function listener({pod, session, pwd}: Local, {noSocket = false}: ChatOptions, env: Env): OpenPod['listen'] {
	let begun = noSocket;
	return async () => {
		if (begun) return undefined;
		begun = true;
		let isClosed = false;
		const stop = pod.subscribe(event => {
			isClosed ||= event.type === 'closed';
		});
		const {listen, socketFolder, removeDeadSockets} = await import('../../remote/attach/index.ts');
		stop();
		const folder = socketFolder(env);
		if (isClosed) return undefined;
		if (folder === undefined) return startTexts.socketPathTooLong;
		const listening = await listen(pod, {folder, session: session.id, pwd});
		void removeDeadSockets(folder);
		return listening.ok ? undefined : listening.sentence;
	};
}

const modelName = /^own\/[\w.:-]{1,100}$/u;

/**
The names of tools that every provider accepts. Two underscores are not allowed, because they separate an MCP server
from its tool.
*/
const toolName = /^[A-Za-z_][\w-]{0,63}$/u;
