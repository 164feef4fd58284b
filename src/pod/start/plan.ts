import {readFile} from 'node:fs/promises';
import type {ModelSpec} from '../../worker/index.ts';
import type {ApprovalOptions} from '../approval/approvals.ts';
import {loadConfig, type Config} from '../config/config.ts';
import {defaultLimits, withLimits, type Limits} from '../config/limits.ts';
import {chooseModel, configuredKeys, type ModelSource} from '../config/model-choice.ts';
import type {ModelFacts} from '../context/catalogue.ts';
import {homeOf, type Env} from '../env/env.ts';
import {errorCode} from '../files/fs-error.ts';
import type {UntrustedManifest} from '../manifest/load-manifest.ts';
import {ownersOf} from '../scope/owners.ts';
import {createScope, type Owners, type Scope} from '../scope/scope.ts';
import {homeProblem} from '../session/home-problem.ts';
import {projectDir, sessionsRoot} from '../session/paths.ts';
import {findProject, skippedSentences} from './find-project.ts';
import type {StartOptions} from './options.ts';
import {startTexts} from './texts.ts';

/** The plan of a start. All arguments and configuration are checked, but nothing is open yet. */
export type Plan = {
	readonly scope: Scope;
	/** The owners whose project files count. */
	readonly owners: Owners;
	readonly limits: Limits;
	readonly model: {
		readonly name: string;
		readonly spec: ModelSpec;
		/** The user's settings about models, by model name. */
		readonly facts: Readonly<Record<string, ModelFacts>>;
	};
	readonly session: PlannedSession;
	/** The approval settings. The mode comes only from the command line, the rules from both configuration files. */
	readonly approval: Pick<ApprovalOptions, 'mode' | 'rules' | 'startedIn'>;
	/** The part of the project's file that the user has not trusted. */
	readonly untrusted?: UntrustedManifest;
	/** The variables of the keys that the user's configuration names. Child processes do not get them. */
	readonly keyNames: readonly string[];
	/** Warnings for the user at the start. */
	readonly warnings: readonly string[];
} & Pick<Config, 'keys' | 'screen' | 'hooks'>;

export type PlannedSession =
	| {readonly kind: 'new'}
	/** `fork`: the session is a new one that begins like the stored one, up to an item. */
	| {readonly kind: 'stored'; readonly dir: string; readonly fork?: {readonly upTo?: string | undefined}};

export type Planned = {readonly ok: true; readonly plan: Plan} | Failed;
type Failed = {readonly ok: false; readonly sentence: string};

/** `picked` is the folder of the session that the user picked. `upTo` is the last item of a fork. */
export type PlanOptions = {readonly picked?: string; readonly upTo?: string | undefined};

/**
Turns arguments and environment into a plan, or into one sentence (exit code 2).
It loads only the code that it needs, because the first frame waits for it.
*/
export async function planStart(start: StartOptions, env: Env, {picked, upTo}: PlanOptions = {}): Promise<Planned> {
	const project = await findProject(start, env);
	if (!project.ok) return project;
	const loaded = await loadConfig(env);
	if (!loaded.ok) return loaded;
	const problem = await homeProblem(env);
	if (problem !== undefined) return failed(problem);
	const {config} = loaded;
	const {manifest} = project;
	const {pwd, startedIn, permissions = [], untrusted} = manifest;
	const writable = manifest.writable && !start.readOnly;
	const created = await createScope({pwd, writable, readRoots: start.addDirs, home: homeOf(env)});
	if (!created.ok) return failed(`${created.path}: ${startTexts.scope[created.reason]}.`);
	const limits = withLimits(withLimits(defaultLimits, config.limits), manifest.limits);
	const model = await planModel(start, env, {config, manifest, limits});
	if (!model.ok) return model;
	const session = await chooseSession(start, picked, sessionsRoot(env), created.scope.pwd);
	if (!session.ok) return session;
	const {keys, screen, hooks} = config;
	const rules = {user: config.permissions, project: permissions};
	return {
		ok: true,
		plan: {
			scope: created.scope,
			owners: ownersOf(env, config.safeDirectories),
			limits,
			model: model.model,
			session: withFork(session.session, start.fork === true ? {upTo} : undefined),
			approval: {mode: start.approval ?? 'ask', rules, startedIn},
			...(untrusted !== undefined && {untrusted}),
			keyNames: configuredKeys(config.servers),
			warnings: [...skippedSentences(project, env), manifest.warning ?? [], session.warnings].flat(),
			keys,
			screen,
			hooks,
		},
	};
}

type ModelSources = {
	readonly config: Config;
	readonly manifest: Parameters<typeof chooseModel>[0]['manifest'];
	readonly limits: Limits;
};

async function planModel(
	{model: flag}: StartOptions,
	env: Env,
	{config, manifest, limits}: ModelSources,
): Promise<{readonly ok: true; readonly model: Plan['model']} | Failed> {
	const choice = chooseModel({flag, env, ...(manifest && {manifest}), config});
	if (!choice.ok) return choice;
	const read = await withScript(choice.spec);
	if (!read.ok) return read;
	const spec = withPatience(read.spec, limits);
	return {ok: true, model: {name: choice.name, spec, facts: factsOf(config, choice)}};
}

type Chosen = {readonly ok: true; readonly session: PlannedSession; readonly warnings: readonly string[]} | Failed;

async function chooseSession(
	{session}: StartOptions,
	picked: string | undefined,
	root: string,
	pwd: string,
): Promise<Chosen> {
	if (session.kind === 'new') return chosen({kind: 'new'});
	if (session.kind === 'pick')
		return picked === undefined ? failed(startTexts.noSessionId) : chosen({kind: 'stored', dir: picked});
	if (session.kind === 'latest') return latest(root, pwd);
	const {findSession} = await import('../session/find.ts');
	const found = await findSession({root, cwd: pwd}, session.id);
	return found.ok ? chosen({kind: 'stored', dir: found.dir}) : failed(found.sentence);
}

async function latest(root: string, pwd: string): Promise<Chosen> {
	const {latestSession} = await import('../session/list.ts');
	const found = await latestSession(projectDir(root, pwd));
	if (!found.ok) return failed(found.sentence);
	return found.dir === undefined
		? chosen({kind: 'new'}, [startTexts.noSessionYet])
		: chosen({kind: 'stored', dir: found.dir});
}

function withFork(session: PlannedSession, fork: {readonly upTo: string | undefined} | undefined): PlannedSession {
	return session.kind === 'stored' && fork !== undefined ? {...session, fork} : session;
}

function chosen(session: PlannedSession, warnings: readonly string[] = []): Chosen {
	return {ok: true, session, warnings};
}

/** Adds the script to a scripted model. Other models do not load the code that reads scripts. */
async function withScript(spec: ModelSpec): Promise<{readonly ok: true; readonly spec: ModelSpec} | Failed> {
	if (spec.provider !== 'scripted') return {ok: true, spec};
	try {
		const script = await readFile(spec.model, 'utf8');
		const {parseScript} = await import('../../worker/index.ts');
		const parsed = parseScript(script);
		return parsed.ok ? {ok: true, spec: {...spec, script}} : failed(`${spec.model}: ${parsed.sentence}`);
	} catch (error) {
		const code = errorCode(error);
		if (code === '') throw error;
		return failed(startTexts.unreadableScript(spec.model, code));
	}
}

/** Returns the facts about models. A configured window applies only to the configured model. */
function factsOf(
	{window, prices = {}}: Config,
	{name, source}: {readonly name: string; readonly source: ModelSource},
): Readonly<Record<string, ModelFacts>> {
	const facts = Object.fromEntries(
		Object.entries(prices).map(([model, known]): [string, ModelFacts] => [model, {prices: known}]),
	);
	return source === 'config' && window !== undefined ? {...facts, [name]: {...facts[name], window}} : facts;
}

/**
Returns the model with its stall time-out. Without a configured one, the provider's own is longer for a loopback
server.
*/
function withPatience(spec: ModelSpec, {model: {stallTimeoutMs}}: Limits): ModelSpec {
	return stallTimeoutMs === undefined ? spec : {...spec, options: {...spec.options, stallTimeoutMs}};
}

function failed(sentence: string): Failed {
	return {ok: false, sentence};
}
