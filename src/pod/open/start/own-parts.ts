import type {Model} from '../../../worker/index.ts';
import type {Feature} from '../../core/feature.ts';
import type {CreateFeature} from '../../core/pod-parts.ts';
import type {Models} from '../../models/models.ts';
import type {PodModel} from '../../models/pod-model.ts';
import {toolFactsOf} from '../../protocol/tool-definitions.ts';
import {ownPartsTexts} from './texts.ts';

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
	const builtIn = names.find(name => toolFactsOf(name) !== undefined);
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

const modelName = /^own\/[\w.:-]{1,100}$/u;
/** What every provider accepts. Two underscores separate a server from its tool (MCP). */
const toolName = /^[A-Za-z_][\w-]{0,63}$/u;

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
