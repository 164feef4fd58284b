import {chordOf} from '../../model/keys/keymap.ts';
import {sessionOf, statusOf} from '../../model/selectors.ts';
import {dismissAlerts, send, showAlert, type App} from '../app.ts';
import type {Key} from '../../terminal/input/input.ts';
import {moveInList, withinList} from '../../model/pages/list.ts';
import type {PageSize} from '../../view/pages/page-size.ts';
import {isPage} from '../../model/pages/page-state.ts';
import {roomOf} from '../../view/pages/models-rows.ts';
import {
	effortOn,
	entriesOn,
	stepLevel,
	modelsPage,
	type ModelsPage,
	type ModelChoice,
} from '../../model/pages/models-state.ts';
import {efforts, type Effort, type ModelInfo} from '../../../pod/protocol.ts';
import {modelAndEffort, modelTexts, switched} from '../../view/pages/models-texts.ts';

/**
Handles a key on the models page. Keys move in the list. Left and Right change the effort. Enter switches to the
highlighted model, or shows the models without an API key. Ctrl+S saves the highlighted model as the default.
*/
export function pressOnModels(app: App, page: ModelsPage, key: Key, size: PageSize): boolean {
	const {keymap} = app.state.setup;
	const entries = entriesOn(page);
	const [count, room] = [entries.length, roomOf(size)];
	const entry = entries[withinList(page.list, count, room).at];
	const model = entry?.kind === 'model' ? entry.model : undefined;
	const chord = chordOf(key);
	const moved = moveInList(page.list, key, {keymap, count, room});
	if (moved !== undefined) app.dispatch({type: 'choose on page', list: moved});
	else if (chord === 'left' || chord === 'right') stepOn(app, page, model, chord === 'left' ? -1 : 1);
	else if (keymap.action(key) === 'submit' && entry?.kind === 'rest') app.dispatch({type: 'show all models'});
	else if (keymap.action(key) === 'submit') take(app, page, model, chooseOnPage);
	else if (chord === 'ctrl+s') take(app, page, model, saveDefault);
	else return false;
	return true;
}

/** Handles the key that steps through the efforts of the current model. */
export function pressEffort(app: App, key: Key): boolean {
	if (app.state.setup.keymap.action(key) !== 'next effort') return false;
	void stepEffort(app);
	return true;
}

/** Opens the page with the known models. The models of servers are added as soon as the servers answer. */
export async function openModels(app: App): Promise<void> {
	const client = await app.client.promise;
	const known = await client.models('known');
	app.dispatch({type: 'open page', page: modelsPage(known, sessionOf(app.state).model)});
	void addListed(app, known);
}

/** Switches to a model and shows an alert about the switch. Resolves with a sentence if the switch fails. */
export async function switchModel(app: App, {name, effort}: ModelChoice): Promise<string | undefined> {
	const receipt = await send(app, {method: 'model', name, effort});
	if (!receipt.accepted) return receipt.sentence;
	const {name: model, effort: used} = receipt.chosen ?? {name, effort};
	const lacks = effort === used ? undefined : effort;
	const waits = statusOf(app.state).kind === 'running';
	showAlert(app, {level: lacks === undefined ? 'info' : 'warn', text: switched({model, effort: used, lacks, waits})});
	return undefined;
}

/**
Sets the effort with this name. If `word` is empty, shows the current effort. Resolves with a sentence if the effort
cannot be set.
*/
export async function setEffort(app: App, word: string): Promise<string | undefined> {
	const {name, effort} = nextChoice(app);
	if (word === '') {
		const levels = await levelsOf(app, name);
		const change = levels.length === 0 ? ` ${modelTexts.noLevels(name)}` : modelTexts.levels(levels);
		const text = `${modelAndEffort(name, effort ?? modelTexts.ownEffort)}.${change}`;
		showAlert(app, {level: 'info', text});
		return undefined;
	}
	const wanted = efforts.find(level => level === word);
	if (wanted === undefined) return modelTexts.unknownEffort(word, efforts);
	return switchModel(app, {name, effort: wanted});
}

/** Switches to a model, and closes the page. */
async function chooseOnPage(app: App, choice: ModelChoice): Promise<void> {
	dismissAlerts(app);
	const problem = await switchModel(app, choice);
	if (problem !== undefined) showAlert(app, {level: 'error', text: problem});
	else if (isPage(app.state.page, 'models')) app.dispatch({type: 'close page'});
}

/** Saves a model as the default in the user's configuration. */
async function saveDefault(app: App, {name, effort}: ModelChoice): Promise<void> {
	dismissAlerts(app);
	const receipt = await send(app, {method: 'save_model', name, effort});
	if (receipt.accepted) showAlert(app, {level: 'info', text: modelTexts.saved(modelAndEffort(name, effort))});
	else showAlert(app, {level: 'error', text: receipt.sentence});
}

/** Sets the next effort level of the model. After the highest level comes the lowest one. */
async function stepEffort(app: App): Promise<void> {
	await inTurn(app, async () => setNextEffort(app));
}

function stepOn(app: App, page: ModelsPage, model: ModelInfo | undefined, direction: 1 | -1): void {
	if (model === undefined || model.efforts.length === 0) return;
	const effort = stepLevel(model.efforts, chosenEffort(app, page, model.name), direction);
	app.dispatch({type: 'set effort on page', choice: {name: model.name, effort}});
}

function take(app: App, page: ModelsPage, model: ModelInfo | undefined, change: typeof chooseOnPage): void {
	if (model !== undefined) void change(app, {name: model.name, effort: chosenEffort(app, page, model.name)});
}

function chosenEffort(app: App, page: ModelsPage, name: string) {
	const {model, effort} = sessionOf(app.state);
	return effortOn(page, name, {name: model, effort});
}

/** Adds the models of the servers that answer quickly, and later the models of the other servers. */
async function addListed(app: App, known: readonly ModelInfo[]): Promise<void> {
	const client = await app.client.promise;
	// If the connection to the pod was lost, other code reports it.
	const [soon, all] = [client.models('soon').catch(() => known), client.models('all').catch(() => known)];
	app.dispatch({type: 'models listed', models: await soon, isLooking: true});
	app.changed('now');
	app.dispatch({type: 'models listed', models: await all, isLooking: false});
	app.changed('now');
}

async function setNextEffort(app: App): Promise<void> {
	const {name, effort} = nextChoice(app);
	const levels = await levelsOf(app, name);
	const next = levels[(effort === undefined ? 0 : levels.indexOf(effort) + 1) % Math.max(1, levels.length)];
	dismissAlerts(app);
	const problem = next === undefined ? modelTexts.noLevels(name) : await switchModel(app, {name, effort: next});
	if (problem !== undefined) showAlert(app, {level: 'info', text: problem});
}

/** Returns the model and the effort of the next run. */
function nextChoice(app: App): ModelChoice {
	const {nextModel, nextEffort} = statusOf(app.state);
	const {model, effort} = sessionOf(app.state);
	return nextModel === undefined ? {name: model, effort} : {name: nextModel, effort: nextEffort};
}

/** Returns the known effort levels of a model. */
async function levelsOf(app: App, name: string): Promise<readonly Effort[]> {
	const client = await app.client.promise;
	const models = await client.models('known').catch((): readonly ModelInfo[] => []);
	return models.find(model => model.name === name)?.efforts ?? [];
}

/** Runs the changes of an app one after another, because each change depends on the result of the previous one. */
async function inTurn(app: App, change: () => Promise<void>): Promise<void> {
	const earlier = changing.get(app) ?? Promise.resolve();
	const later = earlier.then(change);
	changing.set(app, later);
	return later;
}

const changing = new WeakMap<App, Promise<void>>();
