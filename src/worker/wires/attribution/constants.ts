import type {Setup} from '../../history/item.ts';
import {wireOf} from '../load.ts';
import {requestBody} from '../request-body.ts';
import {isRecord} from '../values.ts';
import {form} from './source.ts';
import type {BodyFacts} from './walk.ts';
import {wireForms} from './wire-forms.ts';

/**
Returns the sources of the values that belong to no text: the model, the settings, and the form of the wire. A setting
is the source of what changes in a small request without it.
*/
export async function findConstants(setup: Setup, follows: BodyFacts['follows']): Promise<BodyFacts['constant']> {
	const {model, settings} = setup;
	const wire = wireOf(model, settings);
	const forms = wireForms[wire ?? 'none'];
	const bySetting = await findSettings(setup);
	const name = model.slice(model.indexOf('/') + 1);
	return (path, value) => {
		const setting = bySetting.get(path);
		if (setting !== undefined) return {kind: 'setup', key: `settings.${setting}`};
		if (wire === undefined && path.startsWith('settings.')) return {kind: 'setup', key: path};
		if (path === 'model' && value === name) return {kind: 'setup', key: 'model'};
		const known = forms[path]?.find(each => each.values === undefined || each.values.includes(value));
		if (known === undefined) return undefined;
		if (known.rule === undefined) return form;
		return follows(known.rule) ? {kind: 'rule', rule: known.rule} : undefined;
	};
}

/** Maps the paths of values to the settings that they come from. */
async function findSettings({model, settings}: Setup): Promise<ReadonlyMap<string, string>> {
	const found = new Map<string, string>();
	const whole = await smallBody(model, settings);
	if (whole === undefined) return found;
	for (const key of Object.keys(settings)) {
		if (formSettings.has(key)) continue;
		const {[key]: _, ...others} = settings;
		const without = await smallBody(model, others);
		if (without === undefined) continue;
		for (const [path, value] of whole) if (without.get(path) !== value) found.set(path, key);
	}
	return found;
}

/** These settings choose the form of a request and are not sent. */
const formSettings: ReadonlySet<string> = new Set(['rules', 'wire', 'dialect', 'mergeUser', 'tools', 'input']);

async function smallBody(model: string, settings: Setup['settings']): Promise<ReadonlyMap<string, string> | undefined> {
	const messages = [{role: 'user', text: 'x'}] as const;
	const made = await requestBody(model, {prompt: '', tools: [], settings, messages});
	return made.ok ? new Map(leaves(JSON.parse(made.body), '')) : undefined;
}

function leaves(value: unknown, path: string): ReadonlyArray<readonly [string, string]> {
	if (Array.isArray(value)) return value.flatMap(each => leaves(each, `${path}[]`));
	if (!isRecord(value)) return [[path, JSON.stringify(value)]];
	return Object.entries(value).flatMap(([key, each]) => leaves(each, path === '' ? key : `${path}.${key}`));
}
