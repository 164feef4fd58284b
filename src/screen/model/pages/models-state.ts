import type {Effort, ModelInfo} from '../../../pod/protocol.ts';
import {createField, fieldText, type Field} from '../field-state.ts';
import type {ListState} from './list.ts';

/** The page lists the models. */
export type ModelsPage = {
	readonly kind: 'models';
	readonly models: readonly ModelInfo[];
	/** Whether the servers on this machine have not answered yet. */
	readonly isLooking: boolean;
	readonly query: Field;
	readonly list: ListState;
	/** The efforts that you chose on the page, by model. `undefined` is the model's own effort. */
	readonly efforts: ReadonlyMap<string, Effort | undefined>;
};

/** A model and its effort. Without an effort the model has its own. */
export type ModelChoice = {readonly name: string; readonly effort: Effort | undefined};

/** Opens with the current model chosen. */
export function modelsPage(models: readonly ModelInfo[], current: string): ModelsPage {
	const at = Math.max(
		0,
		models.findIndex(({name}) => name === current),
	);
	return {
		kind: 'models',
		models,
		isLooking: true,
		query: createField(),
		list: {at, top: 0},
		efforts: new Map(),
	};
}

/** Returns the models that match: each word of the query is in the name or in the label. */
export function foundModels({models, query}: Pick<ModelsPage, 'models' | 'query'>): readonly ModelInfo[] {
	const words = fieldText(query).toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return models;
	return models.filter(({name, label = ''}) => {
		const text = `${name} ${label}`.toLowerCase();
		return words.every(word => text.includes(word));
	});
}

/** Returns the page with the models of the local servers. The same model stays chosen. */
export function withModels(page: ModelsPage, models: readonly ModelInfo[]): ModelsPage {
	const chosen = foundModels(page)[page.list.at]?.name;
	const listed = {...page, models, isLooking: false};
	const at = foundModels(listed).findIndex(({name}) => name === chosen);
	return {...listed, list: {...page.list, at: Math.max(0, at)}};
}

/** Returns the page with another query, and its first match chosen. */
export function withQuery(page: ModelsPage, query: Field): ModelsPage {
	const isSame = fieldText(query) === fieldText(page.query);
	return {...page, query, list: isSame ? page.list : {at: 0, top: 0}};
}

/** Returns the effort of a model: the one that you chose on the page, or that of the current model. */
export function effortOn({efforts}: ModelsPage, name: string, current: ModelChoice): Effort | undefined {
	return efforts.has(name) ? efforts.get(name) : name === current.name ? current.effort : undefined;
}

/** Returns the next level of a model in a direction. The model's own effort comes before its lowest level. */
export function stepLevel(
	levels: readonly Effort[],
	effort: Effort | undefined,
	direction: 1 | -1,
): Effort | undefined {
	const steps = [undefined, ...levels];
	return steps[Math.max(0, Math.min(steps.length - 1, steps.indexOf(effort) + direction))];
}
