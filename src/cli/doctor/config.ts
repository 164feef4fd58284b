import {join} from 'node:path';
import {
	configDirectory,
	findProject,
	loadConfig,
	pathExists,
	skippedSentences,
	type Config,
	type Env,
	type Manifest,
	type ProjectOptions,
	type Rules,
	chooseCompleted,
	credentialsFile,
	findKey,
	findProgram,
	keySourceText,
	listKnownModels,
	loadStoredKeys,
	providersWithKeys,
	systemOf,
	type ModelWishes,
} from '../../pod/index.ts';
import {createKeymap, problemSentence} from '../../screen/model/keys/keymap.ts';
import type {Fact} from './environment.ts';
import {
	configFile,
	keyProblem,
	projectFile,
	keychainFound,
	keychainMissing,
	keyFound,
	localModel,
	localServer,
	nextStep,
	noKeys,
	noLocalServer,
	serveLacks,
} from './texts.ts';
import type {ModelInfo} from '../../pod/protocol.ts';
import {providerFacts} from '../../worker/index.ts';
import {formatCount} from '../../text/formats.ts';

/** The parts of the configuration that could be read. */
type Setting = {
	readonly facts: readonly Fact[];
	readonly pwd?: string;
	readonly manifest?: Manifest;
	readonly config?: Config;
};

/** Checks the two configuration files: their paths and their errors. */
export async function configFacts(where: ProjectOptions, env: Env): Promise<Setting> {
	const [read, project, isWritten] = await Promise.all([
		loadConfig(env),
		findProject(where, env),
		pathExists(join(configDirectory(env), 'config.toml')),
	]);
	const config = read.ok ? read.config : undefined;
	const manifest = project.ok ? project.manifest : undefined;
	return {
		facts: [
			...(read.ok ? ownFacts(read.config, isWritten) : [broken('config', read.sentence)]),
			...(project.ok ? projectFacts(project.manifest) : [broken('project', project.sentence)]),
			...skippedSentences(project, env).map((text): Fact => ({about: 'project', level: 'note', text})),
		],
		...(manifest !== undefined && {pwd: manifest.pwd, manifest}),
		config,
	};
}

/** Lists the rules of both configuration files that are in effect. */
export function rulesOf({config, manifest}: Setting): Omit<Rules, 'answered'> {
	return {user: config?.permissions ?? [], project: manifest?.permissions ?? []};
}

/**
Lists the found keys with their sources, the keychain, and the model servers on this machine. It does not read keys from
the keychain.
*/
export async function keyFacts({wishes, config, pwd}: KeyFactOptions): Promise<Fact[]> {
	const {env} = wishes;
	const {stored, sentence} = await loadStoredKeys(env);
	const fromShell: string[] = [];
	const found = providersWithKeys(config).flatMap((provider): Fact[] => {
		const facts = providerFacts(provider, config?.servers[provider]);
		const key = facts === undefined ? undefined : findKey(provider, facts, {env, stored});
		if (key === undefined) return [];
		if (key.source.kind === 'environment' && !stored.has(provider)) fromShell.push(provider);
		return [{about: 'keys', level: 'ok', text: keyFound(provider, keySourceText(key.source))}];
	});
	const local = (await listKnownModels({env, ...(config && {config})}, true)).filter(isRunning);
	return [
		...(sentence === undefined ? [] : [{about: 'keys', level: 'broken', text: sentence} as const]),
		...(found.length === 0 ? [{about: 'keys', level: 'note', text: noKeys} as const] : found),
		...(fromShell.length === 0 ? [] : [{about: 'serve', level: 'note', text: serveLacks(fromShell)} as const]),
		keychainFact(env, pwd),
		...localFacts(local),
		...(await nextFacts(wishes, {hasKey: found.length > 0, local: local[0]?.name})),
	];
}

function ownFacts({file, keys, hooks, warnings = []}: Config, isWritten: boolean): Fact[] {
	const ignored = warnings.map((text): Fact => ({about: 'config', level: 'note', text}));
	const problems = createKeymap(keys).problems.map(problem =>
		broken('config', keyProblem(file, problemSentence(problem))),
	);
	return [{about: 'config', level: 'ok', text: configFile(file, isWritten, hooks.length)}, ...ignored, ...problems];
}

function projectFacts({file, pwd, warning: general, untrusted}: Manifest): Fact[] {
	const warnings = [general, untrusted?.warning].filter(text => text !== undefined);
	return [
		{about: 'project', level: 'ok', text: projectFile(pwd, file)},
		...warnings.map((text): Fact => ({about: 'project', level: 'note', text})),
	];
}

function broken(about: string, text: string): Fact {
	return {about, level: 'broken', text};
}

type KeyFactOptions = {
	readonly wishes: ModelWishes;
	readonly config: Config | undefined;
	/** The project's directory. inkpod uses no program from it. */
	readonly pwd: string | undefined;
};

/** Says what to do next if no model is chosen, so that inkpod would use the offline guide. */
async function nextFacts(
	wishes: ModelWishes,
	next: {readonly hasKey: boolean; readonly local: string | undefined},
): Promise<Fact[]> {
	const choice = await chooseCompleted(wishes);
	const isGuide = choice.ok && choice.source === 'default';
	return isGuide ? [{about: 'next', level: 'note', text: nextStep(next)}] : [];
}

function isRunning({isLocal, missing}: ModelInfo): boolean {
	return isLocal === true && missing === undefined;
}

function keychainFact(env: Env, pwd: string | undefined): Fact {
	const program = systemOf().keychain;
	const path = findProgram(program, env['PATH'], pwd);
	return path === undefined
		? {about: 'keychain', level: 'note', text: keychainMissing(program, credentialsFile(env))}
		: {about: 'keychain', level: 'ok', text: keychainFound(path)};
}

function localFacts(models: readonly ModelInfo[]): Fact[] {
	if (models.length === 0) return [{about: 'local', level: 'ok', text: noLocalServer}];
	const byServer = Map.groupBy(models, ({provider}) => provider);
	return [...byServer].map(([provider, its]): Fact => {
		const names = its.map(({name, window}) =>
			localModel(name.slice(provider.length + 1), window === undefined ? undefined : formatCount(window)),
		);
		return {about: 'local', level: 'ok', text: localServer(provider, names)};
	});
}
