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
	/** The session of the pod. It is replaced if another process's pod ends before the session has a message. */
	readonly session: Pick<Session, 'id' | 'dir'>;
	/**
	Lets other terminals attach, unless --no-socket was given. The first call returns the warning, if there is one.
	*/
	readonly listen: () => Promise<string | undefined>;
	/** The rules that the user allowed for this session, if this process runs it. */
	readonly answered?: AnsweredRules;
	/** Set on a child session: the open session to which it belongs, whose process and screen it shares. */
	readonly parent?: OpenPod;
	/** Set on a session of another machine: how ssh names that machine. */
	readonly remote?: string;
	/** Ends this view of a child session. */
	readonly release?: () => Promise<void>;
	/** Tells whether another process owns the session. When that process ends, this one may take the session over. */
	readonly isAttached: () => boolean;
};

/** A pod in this process. `pwd` is the working directory of its scope. */
type Local = Pick<OpenPod, 'pod' | 'session' | 'answered'> & {readonly pwd: string};

/** Creates the pod of this process for a screen. */
export function createLocalPod(local: Local, options: ChatOptions, env: Env): OpenPod {
	const {pod, session, answered} = local;
	return {pod, session, answered, isAttached: () => false, listen: listener(local, options, env)};
}

/** What a program adds to its pod: a model that it implements itself, and features of its own. */
export type OwnParts = {
	/** It answers instead of the plan's model. Its name is `own/NAME`, so it cannot be taken for a provider's model. */
	readonly model?: Model;
	/** Their tools need the same approvals as those of inkpod, by their `effect`. */
	readonly features?: readonly Feature[];
};

/** Returns why these parts cannot be used, as a sentence. */
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

/** Returns the features of a program as a pod creates them. A child session shares them, and does not stop them. */
export function createOwnFeatures({features = []}: OwnParts): readonly CreateFeature[] {
	return features.map(
		({stop, ...shared}) =>
			({options: {child}}) =>
				child === undefined ? {...shared, stop} : shared,
	);
}

/** Begins the name of a program's own model. */
export const ownPrefix = 'own/';

/** Returns the model of a program as the session uses it. */
export function ownPodModel(model: Model, facts: PodModel['facts']): PodModel {
	return {name: model.name, load: async () => model, facts};
}

/** Adds the model of a program to those that can be chosen, so that a session can return to it. */
export function withOwnModel(models: Models, own: PodModel): Models {
	return {
		...models,
		open: async (name, effort, how) =>
			name === own.name ? {ok: true, model: own} : models.open(name, effort, how),
	};
}

/**
Returns a function that starts the socket server once. The code of the server is loaded on the first call. A closed pod
needs no server.
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

/** What every provider accepts. Two underscores separate a server from its tool (MCP). */
const toolName = /^[A-Za-z_][\w-]{0,63}$/u;
