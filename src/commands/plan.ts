import {readFile} from 'node:fs/promises';
import type {Start} from '../args.ts';
import type {ApprovalOptions} from '../pod/approval/approvals.ts';
import {loadConfig, type Config} from '../pod/config/config.ts';
import type {ModelFacts} from '../pod/context/catalogue.ts';
import type {Env} from '../pod/env/env.ts';
import {defaultLimits, withLimits, type Limits} from '../pod/config/limits.ts';
import {chooseModel, type ModelSource} from '../pod/config/model-choice.ts';
import {errorCode} from '../pod/files/fs-error.ts';
import type {UntrustedManifest} from '../pod/manifest/load-manifest.ts';
import {ownersOf} from '../pod/scope/owners.ts';
import {createScope, type Owners, type Scope} from '../pod/scope/scope.ts';
import {homeProblem} from '../pod/session/home-problem.ts';
import {projectDir, sessionsRoot} from '../pod/session/paths.ts';
import type {ModelSpec} from '../worker/index.ts';
import {findProject, skippedSentences} from './find-project.ts';

/**
What a start comes to before anything is opened: everything that can be wrong with arguments and configuration has been
looked at.
*/
export type Plan = {
	readonly scope: Scope;
	/** Whose files of the project are used. */
	readonly owners: Owners;
	readonly limits: Limits;
	readonly model: {
		readonly name: string;
		readonly spec: ModelSpec;
		/** What the person says of models, by their names. */ readonly facts: Readonly<Record<string, ModelFacts>>;
	};
	readonly session:
		| {readonly kind: 'new'}
		| {
				readonly kind: 'stored';
				readonly dir: string;
				/** Not that session, but a new one that begins as it did up to an item. */ readonly fork?: {
					readonly upTo?: string | undefined;
				};
		  };
	/** The mode comes from the command line alone, the rules from both files of configuration. */
	readonly approval: Pick<ApprovalOptions, 'mode' | 'rules' | 'narrowedFrom'>;
	/** What of the project's file the person has not trusted. */
	readonly untrusted?: UntrustedManifest;
	/** What the person is to be told at the start. */
	readonly warnings: readonly string[];
} & Pick<Config, 'keys' | 'screen' | 'hooks'>;

export type Planned = {readonly ok: true; readonly plan: Plan} | {readonly ok: false; readonly sentence: string};

/**
argv and environment to a plan, or one sentence (exit code 2). Loads no more than it needs: the first frame waits for
it.
`picked` is the folder of the session that the person chose, where the start wants one to be chosen; `upTo` the last
item of a fork.
*/
export async function planStart(
	start: Start,
	env: Env,
	{picked, upTo}: {readonly picked?: string; readonly upTo?: string | undefined} = {},
): Promise<Planned> {
	const project = await findProject(start, env);
	if (!project.ok) return project;
	const config = await loadConfig(env);
	if (!config.ok) return config;
	const problem = await homeProblem(env);
	if (problem !== undefined) return failed(problem);
	const {pwd, narrowedFrom, writable, warning, permissions = [], untrusted} = project.manifest;
	const created = await createScope({pwd, writable: writable && !start.readOnly, readRoots: start.addDirs});
	if (!created.ok) return failed(`${created.path}: ${scopeProblems[created.reason]}.`);
	const choice = chooseModel({flag: start.model, env, manifest: project.manifest, config: config.config});
	if (!choice.ok) return choice;
	const spec = await withScript(choice.spec);
	if (!spec.ok) return spec;
	const session = await chooseSession(start, picked, sessionsRoot(env), created.scope.pwd);
	if (!session.ok) return session;
	const limits = withLimits(withLimits(defaultLimits, config.config.limits), project.manifest.limits);
	const warnings = [
		...skippedSentences(project, env),
		...(warning === undefined ? [] : [warning]),
		...session.warnings,
	];
	const {keys, screen, hooks} = config.config;
	const rules = {person: config.config.permissions, project: permissions};
	const approval = {mode: start.approval ?? 'ask', rules, narrowedFrom} as const;
	const owners = ownersOf(env, config.config.safeDirectories);
	return {
		ok: true,
		plan: {
			scope: created.scope,
			owners,
			limits,
			model: {name: choice.name, spec: withPatience(spec.spec, limits), facts: factsOf(config.config, choice)},
			session: withFork(session.session, start.fork === true ? {upTo} : undefined),
			approval,
			...(untrusted !== undefined && {untrusted}),
			warnings,
			keys,
			screen,
			hooks,
		},
	};
}

type Chosen =
	| {readonly ok: true; readonly session: Plan['session']; readonly warnings: readonly string[]}
	| {readonly ok: false; readonly sentence: string};

async function chooseSession({session}: Start, picked: string | undefined, root: string, pwd: string): Promise<Chosen> {
	if (session.kind === 'new') return chosen({kind: 'new'});
	if (session.kind === 'pick')
		return picked === undefined
			? failed('-r needs a session id: inkpod sessions lists them.')
			: chosen({kind: 'stored', dir: picked});
	if (session.kind === 'latest') return latest(root, pwd);
	const {findSession} = await import('../pod/session/find.ts');
	const found = await findSession({root, cwd: pwd}, session.id);
	return found.ok ? chosen({kind: 'stored', dir: found.dir}) : failed(found.sentence);
}

async function latest(root: string, pwd: string): Promise<Chosen> {
	const {latestSession} = await import('../pod/session/list.ts');
	const found = await latestSession(projectDir(root, pwd));
	if (!found.ok) return failed(found.sentence);
	return found.dir === undefined
		? chosen({kind: 'new'}, ['There is no session in this directory yet: this is a new one.'])
		: chosen({kind: 'stored', dir: found.dir});
}

function withFork(session: Plan['session'], fork: {readonly upTo: string | undefined} | undefined): Plan['session'] {
	return session.kind === 'stored' && fork !== undefined ? {...session, fork} : session;
}

function chosen(session: Plan['session'], warnings: readonly string[] = []): Chosen {
	return {ok: true, session, warnings};
}

type WithScript = {readonly ok: true; readonly spec: ModelSpec} | {readonly ok: false; readonly sentence: string};

/** Only a script loads the code that reads scripts. */
async function withScript(spec: ModelSpec): Promise<WithScript> {
	if (spec.provider !== 'scripted') return {ok: true, spec};
	try {
		const script = await readFile(spec.model, 'utf8');
		const {parseScript} = await import('../worker/index.ts');
		const parsed = parseScript(script);
		return parsed.ok ? {ok: true, spec: {...spec, script}} : failed(`${spec.model}: ${parsed.sentence}`);
	} catch (error) {
		const code = errorCode(error);
		if (code === '') throw error;
		return failed(`The script ${spec.model} cannot be read (${code}).`);
	}
}

/** The window belongs to the model of the configuration, and is of no other. */
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
A stall time-out that the person set goes with the model; without one the wire's own is longer for a loopback server.
*/
function withPatience(spec: ModelSpec, {model: {stallTimeoutMs}}: Limits): ModelSpec {
	return stallTimeoutMs === undefined ? spec : {...spec, options: {...spec.options, stallTimeoutMs}};
}

const scopeProblems = {
	not_found: 'there is no such directory',
	not_a_directory: 'it is not a directory',
	io: 'it cannot be opened',
};

function failed(sentence: string): {readonly ok: false; readonly sentence: string} {
	return {ok: false, sentence};
}
