import {efforts, type Effort, type ModelInfo} from '../../../pod/protocol.ts';
import {dismissAlerts, send, showAlert, type App} from '../app.ts';
import {sessionOf, statusOf} from '../../model/selectors.ts';
import {isPage} from '../../model/pages/page-state.ts';
import {modelsPage, type ModelChoice} from '../../model/pages/models-state.ts';
import {modelAndEffort, modelTexts, switched} from '../../view/pages/models-texts.ts';

/** Opens the page with the known models. The models of local servers are added when the servers have answered. */
export async function openModels(app: App): Promise<void> {
	const client = await app.client.promise;
	const known = await client.models(false);
	app.dispatch({type: 'open page', page: modelsPage(known, sessionOf(app.state).model)});
	void addLocal(app, known);
}

async function addLocal(app: App, known: readonly ModelInfo[]): Promise<void> {
	const client = await app.client.promise;
	// A pod that has gone away reports that by itself.
	const models = await client.models(true).catch(() => known);
	app.dispatch({type: 'models listed', models});
	app.changed('now');
}

/** Switches to a model, and closes the page. */
export async function chooseOnPage(app: App, choice: ModelChoice): Promise<void> {
	dismissAlerts(app);
	const problem = await switchModel(app, choice);
	if (problem !== undefined) showAlert(app, {level: 'error', text: problem});
	else if (isPage(app.state.page, 'models')) app.dispatch({type: 'close page'});
}

/** Saves a model as the default in the user's configuration. */
export async function saveDefault(app: App, {name, effort}: ModelChoice): Promise<void> {
	dismissAlerts(app);
	const receipt = await send(app, {method: 'save_model', name, effort});
	if (receipt.accepted) showAlert(app, {level: 'info', text: modelTexts.saved(modelAndEffort(name, effort))});
	else showAlert(app, {level: 'error', text: receipt.sentence});
}

/** Switches to a model and says so. Resolves with a sentence when this fails. */
export async function switchModel(app: App, {name, effort}: ModelChoice): Promise<string | undefined> {
	const receipt = await send(app, {method: 'model', name, effort});
	if (!receipt.accepted) return receipt.sentence;
	const {name: model, effort: used} = receipt.chosen ?? {name, effort};
	const lacks = effort === used ? undefined : effort;
	const waits = statusOf(app.state).kind === 'running';
	showAlert(app, {level: lacks === undefined ? 'info' : 'warn', text: switched({model, effort: used, lacks, waits})});
	return undefined;
}

/** Sets the effort that a word names, or shows the current one. Resolves with a sentence when this fails. */
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

/** Sets the next level of the current model, and after the highest one the lowest. */
export async function stepEffort(app: App): Promise<void> {
	await inTurn(app, async () => setNextEffort(app));
}

async function setNextEffort(app: App): Promise<void> {
	const {name, effort} = nextChoice(app);
	const levels = await levelsOf(app, name);
	const next = levels[(effort === undefined ? 0 : levels.indexOf(effort) + 1) % Math.max(1, levels.length)];
	dismissAlerts(app);
	const problem = next === undefined ? modelTexts.noLevels(name) : await switchModel(app, {name, effort: next});
	if (problem !== undefined) showAlert(app, {level: 'info', text: problem});
}

/** Returns the model of the next run. */
function nextChoice(app: App): ModelChoice {
	const {nextModel, nextEffort} = statusOf(app.state);
	const {model, effort} = sessionOf(app.state);
	return nextModel === undefined ? {name: model, effort} : {name: nextModel, effort: nextEffort};
}

/** Returns the known levels of a model. */
async function levelsOf(app: App, name: string): Promise<readonly Effort[]> {
	const client = await app.client.promise;
	const models = await client.models(false).catch((): readonly ModelInfo[] => []);
	return models.find(model => model.name === name)?.efforts ?? [];
}

/** Runs one change of an app after the other, since each starts from the result of the last one. */
async function inTurn(app: App, change: () => Promise<void>): Promise<void> {
	const earlier = changing.get(app) ?? Promise.resolve();
	const later = earlier.then(change);
	changing.set(app, later);
	return later;
}

const changing = new WeakMap<App, Promise<void>>();
