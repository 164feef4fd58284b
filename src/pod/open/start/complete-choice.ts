import {told} from '../../../language/index.ts';
import {providerFacts} from '../../../worker/index.ts';
import {chooseModel, refused, type ModelChoice, type ModelWishes} from '../../config/model-choice.ts';
import {loadStoredKeys} from '../../models/keys/load-stored.ts';
import {modelTexts} from '../../models/texts.ts';
import {listKnownModels} from './list-models.ts';

/** `warning`: the reason why the stored keys are not used. */
type CompletedChoice = ModelChoice & {readonly warning?: string};

/**
Chooses a model like `chooseModel`, but also uses stored keys, and completes a name that lacks the provider or the
model. The function lists the stored keys only if the environment has no key for the model. For a complete name, it does
not load a list of models or ask a server.
*/
export async function chooseCompleted(wishes: ModelWishes): Promise<CompletedChoice> {
	const first = chooseModel(wishes);
	if (!mayHaveStoredKey(first)) return completed(wishes, first);
	const {stored, sentence: warning} = await loadStoredKeys(wishes.env);
	const more = {...wishes, stored};
	const choice = await completed(more, stored.size === 0 ? first : chooseModel(more));
	return warning === undefined ? choice : {...choice, warning};
}

/**
Tells whether the chosen model may have a stored key. A model with a key in the environment and a local server need no
stored key.
*/
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
