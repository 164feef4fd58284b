import process from 'node:process';
import {nearestName, planStart, startPod, type OwnParts, type Plan} from '../pod/index.ts';
import {ownModelOf} from './own-model.ts';
import {ownFeatureOf} from './own-model.ts';
import {podOf} from './pod.ts';
import type {Feature, Opened, OpenFailure, OpenOptions} from './types.ts';

/**
Opens a new session in a directory, or resumes one. Expected failures are values with a reason. The function throws only
because of mistakes in the calling program.
*/
export async function openPod(options: OpenOptions): Promise<Opened> {
	const {env = process.env, attended = false, trust, model} = options;
	const unknown = unknownOption(options);
	if (unknown !== undefined) return failed('options', unknown);
	const own = ownPartsOf(options);
	const ownTools = new Set(featuresOf(options).flatMap(({tools = []}) => tools.map(({name}) => name)));
	if (typeof own === 'string') return failed('options', own);
	const planned = await planStart(
		{
			session: options.session === undefined ? {kind: 'new'} : {kind: 'id', id: options.session},
			cwd: options.directory,
			readOnly: options.readOnly === true,
			addDirs: options.addDirectories ?? [],
			...(typeof model === 'string' && {model}),
			...(typeof model === 'object' && {model: 'offline'}),
			approval: options.approval,
			...rulesFor(options, text => !ownTools.has(text)),
			trust,
		},
		env,
	);
	if (!planned.ok) return failed('configuration', planned.sentence);
	const plan = withRules(
		planned.plan,
		rulesFor(options, text => ownTools.has(text)),
	);
	return start(plan, {env, attended, own, trust});
}

const optionNames = {
	directory: true,
	session: true,
	model: true,
	tools: true,
	features: true,
	approval: true,
	attended: true,
	allow: true,
	deny: true,
	readOnly: true,
	addDirectories: true,
	trust: true,
	env: true,
} as const satisfies Record<keyof OpenOptions, true>;

/** The names of options in other programs, with the names of the same options here. */
const otherNames: ReadonlyMap<string, keyof OpenOptions> = new Map([
	['cwd', 'directory'],
	['dir', 'directory'],
	['path', 'directory'],
	['id', 'session'],
]);

/** Returns a sentence about an option that does not exist. Otherwise such an option would be ignored silently. */
function unknownOption(options: OpenOptions): string | undefined {
	const known = Object.keys(optionNames);
	const unknown = Object.keys(options).find(name => !Object.hasOwn(optionNames, name));
	if (unknown !== undefined) {
		const near = otherNames.get(unknown) ?? nearestName(unknown, known);
		const hint = near === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${near}?`;
		return `openPod has no option ${JSON.stringify(unknown)}. ${hint}`;
	}
	if (typeof options.directory !== 'string' || options.directory === '') return 'openPod needs a directory.';
	return undefined;
}

type WrittenRules = {readonly allow?: readonly string[]; readonly deny?: readonly string[]};

function rulesFor({allow = [], deny = []}: OpenOptions, fits: (text: string) => boolean): WrittenRules {
	const [allowed, denied] = [allow.filter(fits), deny.filter(fits)];
	return {...(allowed.length > 0 && {allow: allowed}), ...(denied.length > 0 && {deny: denied})};
}

/** Adds rules about the caller's own tools, because the configuration does not know these tools. */
function withRules(plan: Plan, {allow = [], deny = []}: WrittenRules): Plan {
	const own = [
		...deny.map(tool => ({tool, action: 'deny' as const})),
		...allow.map(tool => ({tool, action: 'allow' as const})),
	];
	const {approval} = plan;
	return {...plan, approval: {...approval, rules: {...approval.rules, user: [...own, ...approval.rules.user]}}};
}

type StartParts = {
	readonly env: NonNullable<OpenOptions['env']>;
	readonly attended: boolean;
	readonly own: OwnParts;
	readonly trust?: boolean;
};

async function start(plan: Plan, {env, ...parts}: StartParts): Promise<Opened> {
	const started = await startPod(plan, env, {...parts, isFolderChosen: true});
	if (!started.ok) return failed(started.held === true ? 'in_use' : 'session', started.sentence);
	if (started.unusable !== undefined) {
		await started.pod.send({method: 'shutdown'});
		return failed('configuration', started.unusable);
	}
	const warnings = [...plan.warnings, ...started.warnings, ...(started.notice === undefined ? [] : [started.notice])];
	return {ok: true, pod: podOf(started.pod, started.session.id, warnings)};
}

/** Returns the model and the features of the caller, or a sentence about a schema that cannot be used. */
function ownPartsOf(options: OpenOptions): OwnParts | string {
	const {model} = options;
	const made = featuresOf(options).map(ownFeatureOf);
	const problem = made.find(feature => typeof feature === 'string');
	if (typeof problem === 'string') return problem;
	return {
		...(typeof model === 'object' && {model: ownModelOf(model)}),
		features: made.filter(feature => typeof feature !== 'string'),
	};
}

/** Returns the caller's features. All tools without a feature form one more feature. */
function featuresOf({tools, features = []}: OpenOptions): readonly Feature[] {
	return tools === undefined ? features : [{name: 'tools', tools}, ...features];
}

function failed(reason: OpenFailure, sentence: string): Opened {
	return {ok: false, reason, sentence};
}
