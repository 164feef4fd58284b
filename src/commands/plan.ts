import {readFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {resolve} from 'node:path';
import type {Start} from '../args.ts';
import {loadConfig} from '../pod/config.ts';
import {defaultLimits, withLimits, type Limits} from '../pod/limits.ts';
import {chooseModel} from '../pod/model-choice.ts';
import {loadManifest} from '../pod/scope/manifest.ts';
import {createScope, type Scope} from '../pod/scope/scope.ts';
import {projectDir, sessionsRoot} from '../pod/session/paths.ts';
import type {ModelSpec} from '../worker/index.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** What a start comes to before anything is opened: everything that can be wrong with arguments and configuration has been looked at. */
export type Plan = {
	readonly scope: Scope;
	readonly limits: Limits;
	readonly model: {readonly name: string; readonly spec: ModelSpec};
	readonly session: {readonly kind: 'new'} | {readonly kind: 'stored'; readonly dir: string};
	/** What the person is to be told at the start. */
	readonly warnings: readonly string[];
};

export type Planned = {readonly ok: true; readonly plan: Plan} | {readonly ok: false; readonly sentence: string};

/** argv and environment to a plan, or one sentence (exit code 2). Loads no more than it needs: the first frame waits for it. */
export async function planStart(start: Start, env: Env): Promise<Planned> {
	const manifest = await loadManifest({start: resolve(start.cwd ?? '.'), file: start.manifest});
	if (!manifest.ok) return manifest;
	const config = await loadConfig(env);
	if (!config.ok) return config;
	const {pwd, writable, warning} = manifest.manifest;
	const created = await createScope({pwd, writable: writable && !start.readOnly, readRoots: start.addDirs});
	if (!created.ok) return failed(`${created.path}: ${scopeProblems[created.reason]}.`);
	const choice = chooseModel({flag: start.model, env, manifest: manifest.manifest, config: config.config});
	if (!choice.ok) return choice;
	const spec = await withScript(choice.spec);
	if (!spec.ok) return spec;
	const session = await chooseSession(start, env, created.scope.pwd);
	if (!session.ok) return session;
	const limits = withLimits(withLimits(defaultLimits, config.config.limits), manifest.manifest.limits);
	const warnings = [...(warning === undefined ? [] : [warning]), ...session.warnings];
	return {ok: true, plan: {scope: created.scope, limits, model: {name: choice.name, spec: withPatience(spec.spec, limits)}, session: session.session, warnings}};
}

type Chosen = {readonly ok: true; readonly session: Plan['session']; readonly warnings: readonly string[]} | {readonly ok: false; readonly sentence: string};

async function chooseSession({session}: Start, env: Env, pwd: string): Promise<Chosen> {
	if (session.kind === 'new' || session.kind === 'pick') return chosen({kind: 'new'});
	const root = sessionsRoot(env, homedir());
	if (session.kind === 'latest') {
		const {latestSession} = await import('../pod/session/list.ts');
		const dir = await latestSession(projectDir(root, pwd));
		return dir === undefined ? chosen({kind: 'new'}, ['There is no session in this directory yet: this is a new one.']) : chosen({kind: 'stored', dir});
	}
	const {findSession} = await import('../pod/session/find.ts');
	const found = await findSession({root, cwd: pwd}, session.id);
	return found.ok ? chosen({kind: 'stored', dir: found.dir}) : failed(found.sentence);
}

function chosen(session: Plan['session'], warnings: readonly string[] = []): Chosen {
	return {ok: true, session, warnings};
}

async function withScript(spec: ModelSpec): Promise<{readonly ok: true; readonly spec: ModelSpec} | {readonly ok: false; readonly sentence: string}> {
	if (spec.provider !== 'scripted') return {ok: true, spec};
	try {
		return {ok: true, spec: {...spec, script: await readFile(spec.model, 'utf8')}};
	} catch (error) {
		return failed(`The script ${spec.model} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`);
	}
}

/** A stall time-out of the configuration goes with the model; the wire's own default is longer for a loopback server. */
function withPatience(spec: ModelSpec, limits: Limits): ModelSpec {
	const {stallTimeoutMs} = limits.model;
	return stallTimeoutMs === defaultLimits.model.stallTimeoutMs ? spec : {...spec, options: {...spec.options, stallTimeoutMs}};
}

const scopeProblems = {not_found: 'there is no such directory', not_a_directory: 'it is not a directory', io: 'it cannot be opened'};

function failed(sentence: string): {readonly ok: false; readonly sentence: string} {
	return {ok: false, sentence};
}
