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

export type ModelsAction =
	/** The pod has listed the models, with those of the servers on this machine. */
	| {readonly type: 'models listed'; readonly models: readonly ModelInfo[]}
	| {readonly type: 'write models query'; readonly query: Field}
	/** Shows another effort for a model on the page. */
	| {readonly type: 'set effort on page'; readonly choice: ModelChoice};

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

export function reduceModels(page: ModelsPage, action: ModelsAction): ModelsPage {
	switch (action.type) {
		case 'models listed':
			return withModels(page, action.models);
		case 'write models query': {
			const {query} = action;
			const isSame = fieldText(query) === fieldText(page.query);
			return {...page, query, list: isSame ? page.list : {at: 0, top: 0}};
		}
		case 'set effort on page': {
			const {name, effort} = action.choice;
			return {...page, efforts: new Map([...page.efforts, [name, effort]])};
		}
		default:
			return action satisfies never;
	}
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
function withModels(page: ModelsPage, models: readonly ModelInfo[]): ModelsPage {
	const chosen = foundModels(page)[page.list.at]?.name;
	const listed = {...page, models, isLooking: false};
	const at = foundModels(listed).findIndex(({name}) => name === chosen);
	return {...listed, list: {...page.list, at: Math.max(0, at)}};
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
