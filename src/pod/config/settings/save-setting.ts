import {join} from 'node:path';
import {parse} from 'smol-toml';
import {configDirectory, type Env} from '../../ground/env/env.ts';
import {failureOf, failureSentence} from '../../disk/files.ts';
import {replaceOwnFile} from '../../permissions/trust/private-file.ts';
import {configSchema, screenWarnings} from '../config-schema.ts';
import {editSetting} from '../edit-setting.ts';
import {fileBounds} from '../limits.ts';
import {saveSettingTexts} from '../texts.ts';
import {complaintOf, dotted, ownFile, ownFileSentence, readToml} from '../toml.ts';
import type {SettingValue} from '../toml-statements.ts';
import {unknownKeysIn} from '../unknown-keys.ts';

/**
Writes one setting into the user's config.toml, or removes it. All other bytes of the file stay as they are. The
function checks the value in the same way as inkpod does at the start. Resolves with an error message if nothing was
written.
*/
export async function saveSetting(
	env: Env,
	path: readonly string[],
	value: SettingValue | undefined,
): Promise<string | undefined> {
	const file = join(configDirectory(env), 'config.toml');
	const read = await readConfig(file, env);
	if (!read.ok) return read.sentence;
	const edited = editSetting(read.text, path, value);
	if (edited === undefined) return saveSettingTexts.cannotEdit(dotted(path), file);
	if (edited === read.text) return undefined;
	const problem = problemOf(edited);
	if (problem !== undefined) return problem;
	const [unknown] = warningsOf(edited).filter(warning => !warningsOf(read.text).includes(warning));
	if (unknown !== undefined) return unknown;
	if (Buffer.byteLength(edited) > fileBounds.config) return saveSettingTexts.tooLong(file);
	try {
		const again = await readConfig(file, env);
		if (!again.ok || again.text !== read.text) return saveSettingTexts.changed(file);
		await replaceOwnFile(file, edited);
		return undefined;
	} catch (error) {
		return saveSettingTexts.notSaved(failureSentence(failureOf(error), file, error));
	}
}

/**
Saves a setting as a user types it: as TOML, as a text without quotes, or as a list without brackets. An empty text
removes the setting. Resolves with an error message if nothing was written.
*/
export async function saveTyped(env: Env, path: readonly string[], typed: string): Promise<string | undefined> {
	const value = typedValue(typed);
	const problem = await saveSetting(env, path, value);
	if (problem === undefined || typeof value !== 'string') return problem;
	const list = value
		.split(',')
		.map(each => each.trim())
		.filter(each => each !== '');
	return (await saveSetting(env, path, list)) === undefined ? undefined : problem;
}

type ReadConfig = {readonly ok: true; readonly text: string} | {readonly ok: false; readonly sentence: string};

async function readConfig(file: string, env: Env): Promise<ReadConfig> {
	const read = await readToml(file, configSchema, {maxBytes: fileBounds.config, ...ownFile(env)});
	if (read.ok) return {ok: true, text: read.text};
	if (read.reason === 'missing') return {ok: true, text: ''};
	return {ok: false, sentence: read.reason === 'foreign' ? ownFileSentence(read.foreign) : read.sentence};
}

/** Returns warnings about unknown names of themes and of parts of the status line. */
function warningsOf(text: string): readonly string[] {
	const {data} = configSchema.safeParse(parse(text));
	return screenWarnings(data?.screen, data?.themes);
}

/**
Returns a message about the first invalid value in a text. Ignores unknown keys, which inkpod reports at the start.
*/
function problemOf(text: string): string | undefined {
	const checked = configSchema.safeParse(parse(text));
	if (checked.success) return undefined;
	const unknown = unknownKeysIn(checked.error);
	const issue = checked.error.issues.find(({code}) => code !== 'unrecognized_keys');
	if (issue === undefined || unknown.length > 50) return undefined;
	return `${dotted(issue.path.map(String))} ${complaintOf(issue)}`;
}

function typedValue(typed: string): SettingValue | undefined {
	const text = typed.trim();
	if (text === '') return undefined;
	try {
		const {x} = parse(`x = ${text}`);
		if (typeof x === 'string' || typeof x === 'number' || typeof x === 'boolean') return x;
		if (Array.isArray(x) && x.every(each => typeof each === 'string')) return x;
	} catch {
		// A text without quotes is not TOML.
	}
	return text;
}
