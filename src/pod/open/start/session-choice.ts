import {told} from '../../../language/index.ts';
import {providerFacts, type Item, type Settings} from '../../../worker/index.ts';
import {approvalModes} from '../../protocol/approval-mode.ts';
import type {Limits} from '../../config/limits.ts';
import {recordedOptions} from '../../config/model-choice.ts';
import type {Env} from '../../ground/env/env.ts';
import {recordedIn, type RecordedModel, type SessionMode} from '../../ground/history/recorded.ts';
import {blockedModel} from '../../models/fallback.ts';
import type {PodModel} from '../../models/current-model.ts';
import {providerOf} from '../../models/provider-of.ts';
import {supportedEffort} from '../../models/supported-effort.ts';
import {holdTexts} from '../../models/texts.ts';
import type {ApprovalMode, Effort} from '../../protocol.ts';
import {efforts} from '../../protocol/effort-levels.ts';
import {quoteUntrusted} from '../../ground/text/one-line.ts';
import {configuredFacts} from './configured-facts.ts';
import {keychainOptions, openModel} from './models.ts';
import {ownPrefix} from './local-pod.ts';
import type {Plan} from './plan.ts';
import {planModel, type ModelSources, type PlannedModel} from './plan-model.ts';
import {startTexts} from './texts.ts';

/**
The model, the mode and the limits of a session. `warnings`: the differences from its record, and the settings that
cannot be used.
*/
export type SessionChoice = {
	readonly model: PodModel;
	/** The settings for other models, with the command-line options for this model. */
	readonly modelSources: ModelSources;
	readonly approval: ApprovalMode;
	readonly writable: boolean;
	readonly limits: Limits;
	/** The settings that the user made, for the record. */
	readonly mode: SessionMode;
	/** The folders that the session could read before. The user has to allow them again. */
	readonly askedDirs: readonly string[];
	readonly warnings: readonly string[];
};

type Failed = {readonly ok: false; readonly sentence: string; readonly recorded?: string};

/**
Chooses the model, the mode and the limits of a session. For each value, the command line has priority over the record,
and the record has priority over the configuration. Only a session without a record may use the model that belongs to
the first API key found.
*/
export async function chooseForSession(
	plan: Plan,
	env: Env,
	{items, own}: {readonly items: readonly Item[]; readonly own?: PodModel | undefined},
): Promise<{readonly ok: true; readonly choice: SessionChoice} | Failed> {
	const {said} = plan;
	const recorded = recordedIn(items);
	const chosen = own === undefined ? await chooseModel(plan, env, said.like ?? recorded.model) : ownChoice(plan, own);
	if (!chosen.ok) return chosen;
	const before = recorded.mode;
	const resumed = resumedApproval(before.approval);
	const approval = said.approval ?? resumed.approval;
	const readOnly = said.readOnly || (before.readOnly === true && said.writable !== true);
	const maxTurns = said.maxTurns ?? before.limits?.maxTurns;
	const maxCost = said.maxCost ?? before.limits?.maxCost;
	const addDirs = plan.scope.readRoots;
	return {
		ok: true,
		choice: {
			model: chosen.model,
			modelSources: chosen.sources,
			approval,
			writable: plan.scope.writable && !readOnly,
			limits: withUserLimits(plan.limits, {maxTurns, maxCost}),
			mode: userMode({approval, readOnly, addDirs, maxTurns, maxCost}),
			askedDirs: (before.addDirs ?? []).filter(dir => !addDirs.includes(dir)),
			warnings: [...chosen.warnings, ...(said.approval === undefined ? resumed.warnings : [])],
		},
	};
}

type ChosenModel = {
	readonly ok: true;
	readonly model: PodModel;
	readonly sources: ModelSources;
	readonly warnings: readonly string[];
};

function ownChoice({modelSources: sources}: Plan, model: PodModel): ChosenModel {
	return {ok: true, model, sources, warnings: []};
}

async function chooseModel(plan: Plan, env: Env, recorded: RecordedModel | undefined): Promise<ChosenModel | Failed> {
	const {said, session, modelSources: sources} = plan;
	if (recorded !== undefined && said.model === undefined) return chooseRecorded(plan, env, recorded);
	const planned =
		session.kind === 'new' || said.model !== undefined ? plan : await planModel(undefined, env, sources);
	return 'ok' in planned && !planned.ok ? planned : opened(planned.model, plan, env);
}

/** Opens a planned model with the effort of the command line, or the level that the model supports instead. */
async function opened(planned: PlannedModel, plan: Plan, env: Env): Promise<ChosenModel> {
	const {said, scope} = plan;
	const sources = sourcesFor(plan, planned.name);
	const effort = await supportedEffort(planned.name, said.effort);
	return {
		ok: true,
		model: openModel(planned, keychainOptions(env, scope.pwd, sources), effort),
		sources,
		warnings: effortWarning(planned, said.effort, effort),
	};
}

/** Limits the options of the command line to the session's model. */
function sourcesFor({modelSources: sources}: Plan, name: string): ModelSources {
	return sources.options === undefined ? sources : {...sources, options: {...sources.options, model: name}};
}

/**
Opens the model of the record. If the model cannot be used, or if its server now has another address, inkpod blocks it.
In this case, inkpod sends nothing to the model, and does not use another model instead.
*/
async function chooseRecorded(plan: Plan, env: Env, recorded: RecordedModel): Promise<ChosenModel> {
	const {name, settings} = recorded;
	const sources = sourcesFor(plan, name);
	const open = async () => openRecorded(plan, env, recorded);
	const found = await open();
	if (found.ok) return {...found, sources};
	const facts = configuredFacts(sources.config);
	const hold = {kind: 'unusable', sentence: found.sentence, recorded: found.recorded, open} as const;
	const model = blockedModel(name, hold, {facts, settings: recordedOptions(settings)});
	return {ok: true, model, sources, warnings: [holdTexts.unusableNow(found.sentence)]};
}

async function openRecorded(
	plan: Plan,
	env: Env,
	recorded: RecordedModel,
): Promise<{readonly ok: true; readonly model: PodModel; readonly warnings: readonly string[]} | Failed> {
	const {name, settings} = recorded;
	if (name.startsWith(ownPrefix)) return {ok: false, ...told(holdTexts.own(quoteUntrusted(name)))};
	const planned = await planModel(undefined, env, {...sourcesFor(plan, name), recorded});
	if (!planned.ok) return planned;
	const {model, warnings} = await opened(planned.model, plan, env);
	const from = serverOf(name, settings);
	const to = serverOf(name, model.settings ?? {});
	if (from === to) return {ok: true, model, warnings};
	// The settings contain the recorded address, so that a new session that continues with this model also knows it.
	const known = {facts: model.facts, settings};
	return {ok: true, model: blockedModel(name, {kind: 'moved', from, to, released: model}, known), warnings};
}

/** Returns the address of a model's server. The code compares it and shows it to the user. */
function serverOf(name: string, {server}: Settings): string {
	if (typeof server === 'string') return server;
	const facts = providerFacts(providerOf(name));
	return facts?.baseURL === undefined ? holdTexts.unknownServer : new URL(facts.baseURL).origin;
}

/**
Returns a warning about the effort that is used, if the model lacks the wanted level. The command line has priority over
the configuration.
*/
function effortWarning(
	{name, spec, lacksEffort}: PlannedModel,
	flagged: Effort | undefined,
	used: Effort | undefined,
): readonly string[] {
	if (flagged !== undefined) return used === flagged ? [] : [startTexts.otherEffort(name, used, '--effort')];
	if (lacksEffort === undefined) return [];
	const level = efforts.find(each => each === spec.settings?.['reasoning']);
	return [startTexts.otherEffort(name, level, 'the configured effort')];
}

/** Returns the approval mode of a resumed session. `auto` and `plan` do not continue in a resumed session. */
function resumedApproval(recorded: string | undefined): {
	readonly approval: ApprovalMode;
	readonly warnings: readonly string[];
} {
	if (recorded === 'auto' || recorded === 'plan')
		return {approval: 'ask', warnings: [startTexts.asksAgain(recorded)]};
	return {approval: approvalModes.find(mode => mode === recorded) ?? 'ask', warnings: []};
}

type UserLimits = {readonly maxTurns: number | undefined; readonly maxCost: number | undefined};

function withUserLimits(limits: Limits, {maxTurns, maxCost}: UserLimits): Limits {
	return {
		...limits,
		...(maxTurns !== undefined && {maxTurns}),
		...(maxCost !== undefined && {budget: {...limits.budget, maxCost}}),
	};
}

/** Returns the settings that the user made, without default values. */
function userMode({
	approval,
	readOnly,
	addDirs,
	...limits
}: UserLimits & {
	readonly approval: ApprovalMode;
	readonly readOnly: boolean;
	readonly addDirs: readonly string[];
}): SessionMode {
	const {maxTurns, maxCost} = limits;
	return {
		...(approval !== 'ask' && {approval}),
		...(readOnly && {readOnly}),
		...(addDirs.length > 0 && {addDirs: [...addDirs]}),
		...((maxTurns ?? maxCost) !== undefined && {
			limits: {maxTurns, maxCost},
		}),
	};
}
