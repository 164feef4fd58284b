import {told} from '../../../language/index.ts';
import {providerFacts} from '../../../worker/index.ts';
import {chooseModel, refused, type ModelChoice, type ModelWishes} from '../../config/model-choice.ts';
import {loadStoredKeys} from '../../models/keys/load-stored.ts';
import {modelTexts} from '../../models/texts.ts';
import {listKnownModels} from './list-models.ts';

/** `warning`: why the stored keys are not used. */
type CompletedChoice = ModelChoice & {readonly warning?: string};

/**
Chooses a model like `chooseModel`, also with a stored key, and completes a name without a provider or without a model.
The stored keys are listed only if the environment has no key for the model. A complete name loads no list and asks no
server.
*/
export async function chooseCompleted(wishes: ModelWishes): Promise<CompletedChoice> {
	const first = chooseModel(wishes);
	if (!mayHaveStoredKey(first)) return completed(wishes, first);
	const {stored, sentence: warning} = await loadStoredKeys(wishes.env);
	const more = {...wishes, stored};
	const choice = await completed(more, stored.size === 0 ? first : chooseModel(more));
	return warning === undefined ? choice : {...choice, warning};
}

/** A local server needs no key, and any other choice without a key may have a stored one. */
function mayHaveStoredKey(choice: ModelChoice): boolean {
	if (!choice.ok) return true;
	const {spec, source, keySource} = choice;
	if (spec.provider === 'offline') return source === 'default';
	if (spec.provider === 'scripted' || keySource !== undefined) return false;
	return providerFacts(spec.provider, spec.server)?.local !== true;
}

async function completed(wishes: ModelWishes, choice: ModelChoice): Promise<ModelChoice> {
	if (choice.ok || choice.incomplete === undefined) return choice;
	const {completeName} = await import('../../models/complete-name.ts');
	const {incomplete: written} = choice;
	const known = completeName(written, await listKnownModels(wishes, false));
	const full = known.kind === 'found' ? known : completeName(written, await listKnownModels(wishes, true));
	if (full.kind === 'found') return chooseModel({...wishes, flag: full.name});
	if (full.kind === 'unknown') return choice;
	const [why, names] =
		full.kind === 'several' ? [modelTexts.severalModels, full.names] : [modelTexts.noSuchModel, [full.name]];
	const {ok, sentence, recorded} = refused(written, why);
	const question = told(modelTexts.didYouMean(names));
	return {ok, sentence: `${sentence} ${question.sentence}`, recorded: `${recorded} ${question.recorded}`};
}
