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

/** A model, and how to reach it. */
export type PlannedModel = {
	readonly name: string;
	readonly spec: ModelSpec;
	readonly source: ModelSource;
	/** Where its key is from. A stored key is looked up for the first request, and is not in `spec`. */
	readonly keySource?: KeySource;
	/** Where its key is from, or why it needs none, as a text for the user. */
	readonly access?: string;
	/** Why the stored keys are not used, as a sentence. */
	readonly keyWarning?: string;
	/** The user's settings about models, by model name. */
	readonly facts: Readonly<Record<string, ModelFacts>>;
	/** The configured effort, if the model lacks it. The settings have the level that is used instead. */
	readonly lacksEffort?: Effort;
};

/** What the files of the user and of the project say about models. */
export type ModelSources = {
	readonly config: Config;
	readonly manifest: ModelWishes['manifest'];
	readonly limits: Limits;
	/** The options of the command line. */
	readonly options?: FlaggedOptions | undefined;
	/** The model that the session has already. */
	readonly recorded?: RecordedModel | undefined;
};

type Failed = Extract<OpenedModel, {readonly ok: false}>;

/** Returns the model with this name, or else that of the session, or the first one that is configured. */
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

/** Replaces a configured effort by the one that the model has. */
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

/** Adds the script to a scripted model. Other models do not load the code that reads scripts. */
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

/** Returns the model with its configured time-outs. Without them those of its server's place apply. */
function withPatience(spec: ModelSpec, {model}: Limits): ModelSpec {
	return Object.keys(model).length === 0 ? spec : {...spec, options: {...spec.options, ...model}};
}

function failed(sentence: string): Failed {
	return {ok: false, sentence};
}
