import {homeOf, ownersOf, type Env, type ProjectOptions} from '../pod/index.ts';
import {pad} from '../text/width.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {configFacts, rulesOf} from './doctor/config.ts';
import {environmentFacts} from './doctor/environment.ts';
import type {Fact} from './doctor/environment.ts';
import {keyFacts} from './doctor/config.ts';
import {modelFacts} from './doctor/model.ts';
import {networkFacts} from './doctor/environment.ts';
import {programFacts} from './doctor/project.ts';
import {instructionFacts, mcpFacts, workflowFacts} from './doctor/project.ts';
import {sessionFacts} from './doctor/sessions.ts';
import {inertJson} from './output/output.ts';
import type {Output} from './sessions.ts';

type DoctorOptions = ProjectOptions & {
	readonly json: boolean;
	/** The model that `--model` names. */
	readonly model?: string;
	readonly version: string;
	readonly env: Env;
	readonly stdout: Output & {readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number};
};

/**
Implements `inkpod doctor`: checks the environment and prints one fact per line. It changes nothing and starts nothing.
Its only requests go to the model's server and to local ports. The exit code is 1 when something is broken.
*/
export async function doctor({json, model, version, env, stdout, ...where}: DoctorOptions): Promise<number> {
	const setting = await configFacts(where, env);
	const {pwd} = setting;
	const owners = ownersOf(env, setting.config?.safeDirectories, {place: where});
	const rules = {rules: rulesOf(setting), startedIn: setting.manifest?.startedIn};
	const {manifest, config} = setting;
	const wishes = {flag: model, env, ...(manifest && {manifest}), ...(config && {config})};
	const facts = [
		...environmentFacts(version, env, stdout),
		...setting.facts,
		...(await networkFacts(env)),
		...(await keyFacts({wishes, config: setting.config, pwd})),
		...(await modelFacts(wishes)),
		...(await sessionFacts(env)),
		...(pwd === undefined
			? []
			: await workflowFacts({scope: {pwd, owners, home: homeOf(env), ...readOnly}, env, ...rules})),
		...(pwd === undefined ? [] : await mcpFacts(pwd, env, owners)),
		...(pwd === undefined
			? []
			: await instructionFacts({scope: {pwd, owners, home: homeOf(env), ...readOnly}, env, ...rules})),
		...(await programFacts(pwd, env)),
	];
	stdout.write(json ? `${inertJson(facts, 2)}\n` : facts.map(fact => `${lineOf(fact)}\n`).join(''));
	return facts.some(({level}) => level === 'broken') ? 1 : 0;
}

/** The scope of the doctor, which writes nothing and reads no other folder. */
const readOnly = {writable: false, readRoots: []};

const signs: {readonly [Level in Fact['level']]: string} = {ok: '✓', note: '·', broken: '×'};

function lineOf({about, level, text}: Fact): string {
	return `${signs[level]} ${pad(about, 11)} ${sanitizeLine(text)}`;
}
