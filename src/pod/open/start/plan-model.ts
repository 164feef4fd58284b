import {readFile} from 'node:fs/promises';
import {parseScript, type ModelSpec} from '../../../worker/index.ts';
import type {Config} from '../../config/config.ts';
import type {Limits} from '../../config/limits.ts';
import type {FlaggedOptions, ModelSource, ModelWishes} from '../../config/model-choice.ts';
import type {ModelFacts} from '../../ground/counts/catalogue.ts';
import type {Env} from '../../ground/env/env.ts';
import type {KeySource} from '../../ground/env/found-key.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import type {RecordedModel} from '../../ground/history/recorded.ts';
import {modelAccess} from '../../models/models.ts';
import type {OpenedModel} from '../../models/current-model.ts';
import {supportedEffort} from '../../models/supported-effort.ts';
import {efforts, type Effort} from '../../protocol/effort-levels.ts';
import {chooseCompleted} from './complete-choice.ts';
import {configuredFacts} from './configured-facts.ts';
import {startTexts} from './texts.ts';

/** A model with the facts that inkpod needs to send requests to it. */
export type PlannedModel = {
	readonly name: string;
	readonly spec: ModelSpec;
	readonly source: ModelSource;
	/** The place of the API key. `spec` does not contain a stored key, because the first request looks it up. */
	readonly keySource?: KeySource;
	/** The place of the API key, or the reason why the model needs none, as a text for the user. */
	readonly access?: string;
	/** The reason why the stored keys are not used, as a sentence. */
	readonly keyWarning?: string;
	/** The user's settings about models, by model name. */
	readonly facts: Readonly<Record<string, ModelFacts>>;
	/** The configured effort, if the model lacks this level. The settings contain the level that is used instead. */
	readonly lacksEffort?: Effort;
};

/** The settings about models from the user's and the project's files, the command line and the session's record. */
export type ModelSources = {
	readonly config: Config;
	readonly manifest: ModelWishes['manifest'];
	readonly limits: Limits;
	/** The command-line options. */
	readonly options?: FlaggedOptions | undefined;
	/** The model that the session already uses. */
	readonly recorded?: RecordedModel | undefined;
};

type Failed = Extract<OpenedModel, {readonly ok: false}>;

/**
Plans the model with the name `flag`. If no name is given, plans the session's model, or else the first configured
model.
*/
export async function planModel(
	flag: string | undefined,
	env: Env,
	{config, manifest, limits, options, recorded}: ModelSources,
): Promise<{readonly ok: true; readonly model: PlannedModel} | Failed> {
	const choice = await chooseCompleted({flag, recorded, env, manifest, config, options});
	if (!choice.ok) return choice;
	const read = await withScript(choice.spec);
	if (!read.ok) return read;
	const {spec, lacksEffort} = await withKnownEffort(choice.name, withPatience(read.spec, limits));
	const {name, source, keySource, warning} = choice;
	const access = modelAccess(choice);
	return {
		ok: true,
		model: {
			name,
			spec,
			source,
			facts: factsOf(config, choice),
			keySource,
			access,
			keyWarning: warning,
			lacksEffort,
		},
	};
}

/** Replaces a configured effort with a level that the model supports. */
async function withKnownEffort(
	name: string,
	spec: ModelSpec,
): Promise<{readonly spec: ModelSpec; readonly lacksEffort?: Effort}> {
	const {reasoning: written, ...settings} = spec.settings ?? {};
	const wanted = efforts.find(level => level === written);
	if (wanted === undefined) return {spec};
	const effort = await supportedEffort(name, wanted);
	if (effort === wanted) return {spec};
	return {
		spec: {...spec, settings: {...settings, ...(effort !== undefined && {reasoning: effort})}},
		lacksEffort: wanted,
	};
}

/** Adds the script to a scripted model. For other models, the code that reads scripts is not loaded. */
async function withScript(spec: ModelSpec): Promise<{readonly ok: true; readonly spec: ModelSpec} | Failed> {
	if (spec.provider !== 'scripted') return {ok: true, spec};
	try {
		const script = await readFile(spec.model, 'utf8');
		const parsed = await parseScript(script);
		return parsed.ok ? {ok: true, spec: {...spec, script}} : failed(`${spec.model}: ${parsed.sentence}`);
	} catch (error) {
		const code = errorCode(error);
		if (code === '') throw error;
		return failed(startTexts.unreadableScript(spec.model, code));
	}
}

/** Returns the facts about models. A configured window applies only to the configured model. */
function factsOf(
	{window, ...config}: Config,
	{name, source}: {readonly name: string; readonly source: ModelSource},
): Readonly<Record<string, ModelFacts>> {
	const facts = configuredFacts(config);
	return source === 'config' && window !== undefined ? {...facts, [name]: {...facts[name], window}} : facts;
}

/** Adds the configured time-outs to a model. If none are configured, the defaults for local or remote servers apply. */
function withPatience(spec: ModelSpec, {model}: Limits): ModelSpec {
	return Object.keys(model).length === 0 ? spec : {...spec, options: {...spec.options, ...model}};
}

function failed(sentence: string): Failed {
	return {ok: false, sentence};
}
