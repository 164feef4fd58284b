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
} from '../../pod/index.ts';
import {createKeymap, problemSentence} from '../../screen/model/keys/keymap.ts';
import type {Fact} from './fact.ts';
import {configFile, keyProblem, projectFile} from './texts.ts';

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
