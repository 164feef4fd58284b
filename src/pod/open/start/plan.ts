import {endSentence} from '../../../language/index.ts';
import type {ApprovalOptions} from '../../permissions/approval/approvals.ts';
import type {Rule} from '../../permissions/approval/rule.ts';
import {loadConfig, type Config} from '../../config/config.ts';
import {defaultLimits, withLimits, type Limits} from '../../config/limits.ts';
import {configuredKeys, type FlaggedOptions} from '../../config/model-choice.ts';
import {homeOf, type Env} from '../../ground/env/env.ts';
import {confineSettings, type ConfineSettings} from '../../permissions/confine/settings.ts';
import type {RecordedModel} from '../../ground/history/recorded.ts';
import type {UntrustedManifest} from '../manifest/load-manifest.ts';
import {ownersOf} from '../../scope/owners.ts';
import {createScope, type Owners, type Scope} from '../../scope/scope.ts';
import {homeProblem} from './home-problem.ts';
import {projectDir, sessionsRoot} from '../../disk/paths.ts';
import {findProject, skippedSentences} from './find-project.ts';
import type {Said, StartOptions} from './options.ts';
import {planModel, type ModelSources, type PlannedModel} from './plan-model.ts';
import {startTexts} from './texts.ts';

/** The plan of a start. inkpod has checked all arguments and the configuration, but has not opened anything yet. */
export type Plan = {
	readonly scope: Scope;
	/** The users whose project files inkpod uses. */
	readonly owners: Owners;
	readonly limits: Limits;
	readonly diagnostics?: Readonly<Record<string, string>>;
	/** Whether and how inkpod confines commands. `shell`: also confines the user's own commands. */
	readonly confine: ConfineSettings & {readonly shell: boolean};
	/**
	The model of a new session, or the model that `--model` names. For a stored session, the model in the session's
	label.
	*/
	readonly model: PlannedModel;
	/** The command-line options about the session. They have priority over the record of the session. */
	readonly said: Said;
	/** Whether no other model may answer than the one that a request asks for. */
	readonly isExact: boolean;
	/** The settings for the other models. */
	readonly modelSources: ModelSources;
	readonly session: PlannedSession;
	/** The rules of both configuration files and of the command line. */
	readonly approval: Pick<ApprovalOptions, 'rules' | 'startedIn'>;
	/** The system prompt of the command line. */
	readonly systemPrompt?: string;
	/** The part of the project's file that the user has not trusted. */
	readonly untrusted?: UntrustedManifest;
	/**
	The environment variables that the user's configuration names for API keys. Child processes do not get these
	variables.
	*/
	readonly keyNames: readonly string[];
	/** Warnings for the user at the start. */
	readonly warnings: readonly string[];
} & Pick<Config, 'keys' | 'screen' | 'keepDays' | 'hooks' | 'record'>;

type PlannedSession =
	| {readonly kind: 'new'}
	/** `fork`: the plan creates a new session with the stored session's history up to an item. */
	| {
			readonly kind: 'stored';
			readonly dir: string;
			readonly fork?: {readonly upTo?: string | undefined};
			/** The id of the child that the screen shows first. */
			readonly child?: string | undefined;
	  };

export type Planned = {readonly ok: true; readonly plan: Plan} | Failed;
type Failed = {readonly ok: false; readonly sentence: string};

export type PlanOptions = {
	/** The folder of the session that the user picked, and the child that the screen shows first. */
	readonly picked?: string;
	readonly child?: string | undefined;
	/** The last item of a fork. */
	readonly upTo?: string | undefined;
	/** Whether the id may name a child. Only the chat can show a child. */
	readonly showsChildren?: boolean;
};

/**
Turns the arguments and the environment into a plan, or returns an error message (exit code 2). The function loads only
the code that it needs, because the first frame waits for the plan.
*/
export async function planStart(start: StartOptions, env: Env, options: PlanOptions = {}): Promise<Planned> {
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
	if (!created.ok) return failed(endSentence(`${created.path}: ${startTexts.scope[created.reason]}`));
	const limits = withLimits(withLimits(defaultLimits, config.limits), manifest.limits);
	const flagged = await optionsOf(start);
	if (!flagged.ok) return flagged;
	const written = await writtenIn(start);
	if (!written.ok) return written;
	const session = await chooseSession(start, options, sessionsRoot(env), created.scope.pwd);
	if (!session.ok) return session;
	const sources = {config, manifest, limits, options: flagged.options};
	const model = await firstModel(start, session.session, env, sources);
	if (!model.ok) return model;
	const {keyWarning = []} = model.model;
	const {keys, screen, keepDays, hooks, diagnostics, record} = config;
	const rules = {user: [...written.rules, ...config.permissions], project: permissions};
	const walls = {env, isOff: start.noConfine === true, user: config.confine, project: manifest.confine};
	const confine = {...confineSettings(walls), shell: config.confine?.shell === true};
	return {
		ok: true,
		plan: {
			scope: created.scope,
			owners: ownersOf(env, config.safeDirectories, {place: start}),
			limits,
			confine,
			model: model.model,
			said: start,
			isExact: start.isExact ?? config.exact ?? false,
			modelSources: sources,
			session: withFork(session.session, start.fork === true ? {upTo: options.upTo} : undefined),
			approval: {rules, startedIn},
			systemPrompt: written.prompt,
			untrusted,
			keyNames: configuredKeys(config.servers),
			warnings: [
				config.warnings ?? [],
				...skippedSentences(project, env),
				manifest.warning ?? [],
				keyWarning,
				session.warnings,
			].flat(),
			keys,
			screen,
			keepDays,
			hooks,
			diagnostics,
			record,
		},
	};
}

/**
Returns the model for the first frame. The record of a stored session decides about its model, and inkpod reads the
record later. Until then the screen shows the model in the session's label.
*/
async function firstModel(
	{model, like}: StartOptions,
	session: PlannedSession,
	env: Env,
	sources: ModelSources,
): Promise<{readonly ok: true; readonly model: PlannedModel} | Failed> {
	if (model !== undefined || (session.kind === 'new' && like === undefined)) return planModel(model, env, sources);
	const recorded = like ?? (session.kind === 'stored' ? await labelled(session.dir) : undefined);
	const planned = await planModel(undefined, env, {...sources, recorded});
	if (planned.ok) return planned;
	const spec = {provider: 'offline', model: ''};
	return {ok: true, model: {name: recorded?.name ?? '', spec, source: 'session', facts: {}}};
}

async function labelled(dir: string): Promise<RecordedModel | undefined> {
	const {readLabel} = await import('../../disk/list/label.ts');
	const {facts} = await readLabel(dir);
	return facts === undefined ? undefined : {name: facts.model, settings: {}};
}

type Written = {readonly ok: true; readonly rules: readonly Rule[]; readonly prompt?: string};

/** Reads the rules and the system prompt of the command line. Without such options, no code is loaded for them. */
async function writtenIn({allow, deny, systemPromptFile, cwd}: StartOptions): Promise<Written | Failed> {
	const isPlain = allow === undefined && deny === undefined && systemPromptFile === undefined;
	if (isPlain) return {ok: true, rules: []};
	const [{parseRules}, {readPromptFile}] = await Promise.all([
		import('../../config/rule-flags.ts'),
		import('./prompt-file.ts'),
	]);
	const parsed = parseRules({allow, deny});
	if (!parsed.ok) return parsed;
	if (systemPromptFile === undefined) return parsed;
	const read = await readPromptFile(systemPromptFile, cwd);
	return read.ok ? {...parsed, prompt: read.prompt} : read;
}

/** Reads the model options of the command line. Without such options, no code is loaded for them. */
async function optionsOf({
	options = [],
}: StartOptions): Promise<{readonly ok: true; readonly options?: FlaggedOptions} | Failed> {
	if (options.length === 0) return {ok: true};
	const {parseOptions} = await import('../../config/option-flags.ts');
	const parsed = parseOptions(options);
	return parsed.ok ? {ok: true, options: {settings: parsed.settings}} : parsed;
}

type Chosen = {readonly ok: true; readonly session: PlannedSession; readonly warnings: readonly string[]} | Failed;

async function chooseSession(
	{session, fork = false}: StartOptions,
	{picked, child, showsChildren = false}: PlanOptions,
	root: string,
	pwd: string,
): Promise<Chosen> {
	if (session.kind === 'new') return chosen({kind: 'new'});
	if (session.kind === 'pick')
		return picked === undefined ? failed(startTexts.noSessionId) : chosen({kind: 'stored', dir: picked, child});
	if (session.kind === 'latest') return latest(root, pwd);
	const {childSentence, findInFamilies} = await import('../../disk/list/find.ts');
	const found = await findInFamilies({root, cwd: pwd}, session.id);
	if (!found.ok) return failed(found.sentence);
	if (found.child !== undefined && (fork || !showsChildren)) return failed(childSentence(found.child, found.dir));
	return chosen({kind: 'stored', dir: found.dir, child: found.child});
}

async function latest(root: string, pwd: string): Promise<Chosen> {
	const {latestSession} = await import('../../disk/list/list.ts');
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

function failed(sentence: string): Failed {
	return {ok: false, sentence};
}
