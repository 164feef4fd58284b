import {isOnlyKnown, type Effort, type ModelInfo} from '../../../pod/protocol.ts';
import {createField, fieldText, type Field} from '../field-state.ts';
import {bestFirst, isMatch, matchesOf} from './filter.ts';
import {listStart, type ListState} from './list.ts';

/** The page on which you choose a model and its effort. */
export type ModelsPage = {
	readonly kind: 'models';
	/** All models. The first one was in use when the page opened. */
	readonly models: readonly ModelInfo[];
	/** Whether inkpod is still waiting for the model lists of some servers. */
	readonly isLooking: boolean;
	/** Whether the list also shows the models without an API key. A search always finds these models. */
	readonly showsAll: boolean;
	readonly query: Field;
	readonly list: ListState;
	/** The efforts that you chose on the page, by model name. `undefined` is the model's default effort. */
	readonly efforts: ReadonlyMap<string, Effort | undefined>;
};

/** An entry of the list. The entry `rest` shows the models without an API key when you choose it. */
export type ModelsEntry =
	| {readonly kind: 'model'; readonly model: ModelInfo}
	| {readonly kind: 'rest'; readonly count: number};

/** A model and its effort. If `effort` is `undefined`, the model uses its default effort. */
export type ModelChoice = {readonly name: string; readonly effort: Effort | undefined};

export type ModelsAction =
	/** The pod has listed the models, including those of local servers. `isLooking`: more servers may still answer. */
	| {readonly type: 'models listed'; readonly models: readonly ModelInfo[]; readonly isLooking: boolean}
	| {readonly type: 'show all models'}
	/** Shows another effort for a model on the page. */
	| {readonly type: 'set effort on page'; readonly choice: ModelChoice};

/** Opens the page with the current model highlighted. */
export function modelsPage(models: readonly ModelInfo[], current: string): ModelsPage {
	return {
		kind: 'models',
		models: withFirst(models, current),
		isLooking: true,
		showsAll: false,
		query: createField(),
		list: listStart,
		efforts: new Map(),
	};
}

export function reduceModels(page: ModelsPage, action: ModelsAction): ModelsPage {
	switch (action.type) {
		case 'models listed':
			return withModels(page, action);
		case 'show all models':
			return {...page, showsAll: true, list: {at: page.list.at, top: page.list.at - 1}};
		case 'set effort on page': {
			const {name, effort} = action.choice;
			return {...page, efforts: new Map([...page.efforts, [name, effort]])};
		}
		default:
			return action satisfies never;
	}
}

/**
Returns the entries of the list. A search finds the models that have each word of the query in the name or in the label.
The models with all words in the name come first.
*/
export function entriesOn(page: Pick<ModelsPage, 'models' | 'query' | 'showsAll'>): readonly ModelsEntry[] {
	const {models, query, showsAll} = page;
	if (fieldText(query).trim() !== '') {
		const found = matchesOf(models, query, ({name, label = ''}) => `${name} ${label}`);
		return bestFirst(found, ({name}) => isMatch(name, query)).map(entryOf);
	}
	if (showsAll) return models.map(entryOf);
	const usable = models.filter((model, index) => index === 0 || !isOnlyKnown(model)).map(entryOf);
	const count = models.length - usable.length;
	return count === 0 ? usable : [...usable, {kind: 'rest', count}];
}

function entryOf(model: ModelInfo): ModelsEntry {
	return {kind: 'model', model};
}

/** Moves the named model to the front. Adds it if the pod did not list it, because not every usable model is listed. */
function withFirst(models: readonly ModelInfo[], name: string): readonly ModelInfo[] {
	const provider = name.slice(0, Math.max(0, name.indexOf('/')));
	const first = models.find(model => model.name === name) ?? {name, provider, efforts: []};
	return [first, ...models.filter(model => model.name !== name)];
}

type Listed = Extract<ModelsAction, {readonly type: 'models listed'}>;

/**
Returns the page with a new list of models. The highlight stays on the same entry, and if possible in the same row of
the screen.
*/
function withModels(page: ModelsPage, {models, isLooking}: Listed): ModelsPage {
	const {at, top} = page.list;
	const chosen = entriesOn(page)[at];
	const listed = {...page, models: withFirst(models, page.models[0]?.name ?? ''), isLooking};
	const found = entriesOn(listed).findIndex(entry => keyOf(entry) === keyOf(chosen));
	const next = found < 0 ? at : found;
	return {...listed, list: {at: next, top: top + next - at}};
}

function keyOf(entry: ModelsEntry | undefined): string | undefined {
	return entry?.kind === 'model' ? entry.model.name : entry?.kind;
}

/**
Returns the effort of a model: the effort that you chose on the page, or else the current effort if the model is in use.
*/
export function effortOn({efforts}: ModelsPage, name: string, current: ModelChoice): Effort | undefined {
	return efforts.has(name) ? efforts.get(name) : name === current.name ? current.effort : undefined;
}

/** Returns the next effort level in a direction. The model's default effort comes before its lowest level. */
export function stepLevel(
	levels: readonly Effort[],
	effort: Effort | undefined,
	direction: 1 | -1,
): Effort | undefined {
	const steps = [undefined, ...levels];
	return steps[Math.max(0, Math.min(steps.length - 1, steps.indexOf(effort) + direction))];
}
