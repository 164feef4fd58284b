import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {parse} from 'smol-toml';
import {configDirectory, type Env} from '../ground/env/env.ts';
import type {Effort} from '../protocol.ts';
import {failureOf, failureSentence} from '../disk/files.ts';
import {replaceOwnFile} from '../permissions/trust/private-file.ts';
import {configSchema} from '../config/config-schema.ts';
import {fileBounds} from '../config/limits.ts';
import {saveTexts} from './texts.ts';
import {lineOf} from '../config/toml-lines.ts';
import {quotedText} from '../config/toml-statements.ts';
import {ownFile, ownFileSentence, readToml} from '../config/toml.ts';

type DefaultModel = {readonly name: string; readonly effort: Effort | undefined};

/**
Saves the default model in the user's config.toml. All other lines stay as they are. Resolves with a sentence when the
file cannot be changed safely.
*/
export async function saveDefaultModel(env: Env, model: DefaultModel): Promise<string | undefined> {
	const file = join(configDirectory(env), 'config.toml');
	const read = await readConfig(file, env);
	if (!read.ok) return read.sentence;
	const {text, named} = read;
	if (named !== undefined && named !== model.name) return saveTexts.otherModel(named);
	const changed = withModel(text, model);
	if (changed === undefined) return saveTexts.cannotEdit(file);
	try {
		const again = await readConfig(file, env);
		if (!again.ok || again.text !== text) return saveTexts.changed(file);
		await replaceOwnFile(file, changed);
		return undefined;
	} catch (error) {
		return saveTexts.notSaved(failureSentence(failureOf(error), file, error));
	}
}

/** `named` is the model to which the window and the options in the file apply. */
type ReadConfig =
	| {readonly ok: true; readonly text: string; readonly named: string | undefined}
	| {readonly ok: false; readonly sentence: string};

async function readConfig(file: string, env: Env): Promise<ReadConfig> {
	const read = await readToml(file, configSchema, {maxBytes: fileBounds.config, ...ownFile(env)});
	if (read.ok) {
		const {name, options, window} = read.value.model ?? {};
		return {ok: true, text: read.text, named: options === undefined && window === undefined ? undefined : name};
	}
	if (read.reason === 'missing') return {ok: true, text: '', named: undefined};
	return {ok: false, sentence: read.reason === 'foreign' ? ownFileSentence(read.foreign) : read.sentence};
}

/**
Returns the text with another model, or `undefined` if its lines are not simple enough. Parses the result again, to
check that only the model has changed.
*/
export function withModel(text: string, {name, effort}: DefaultModel): string | undefined {
	const before = parse(text);
	const {effort: _, ...table} = isTable(before['model']) ? before['model'] : {};
	const wanted = {...before, model: {...table, name, ...(effort !== undefined && {effort})}};
	const changed = edited(text, {name, effort}, before['model'] !== undefined);
	try {
		return changed !== undefined && isDeepStrictEqual(plain(parse(changed)), plain(wanted)) ? changed : undefined;
	} catch {
		// The edit has made the file invalid, so it is not used.
		return undefined;
	}
}

function edited(text: string, {name, effort}: DefaultModel, hasModel: boolean): string | undefined {
	const lines = text.split('\n');
	const nameAt = lineOf(text, ['model', 'name'], parse);
	const effortAt = lineOf(text, ['model', 'effort'], parse);
	const effortLine = effort === undefined ? [] : [`effort = ${JSON.stringify(effort)}`];
	const nameLine = `name = ${quotedText(name)}`;
	if (!hasModel) return `${withBreak(text)}${['[model]', nameLine, ...effortLine].join('\n')}\n`;
	if (nameAt === undefined) {
		const header = lines.findIndex(line => /^\s*\[\s*model\s*\]\s*(?:#.*)?$/.test(line));
		return header < 0 ? undefined : lines.toSpliced(header + 1, 0, nameLine, ...effortLine).join('\n');
	}
	const old = lines[nameAt - 1] ?? '';
	const end = old.endsWith('\r') ? '\r' : '';
	const written = assignment('name').exec(old)?.groups;
	if (written === undefined) return undefined;
	const {start = '', rest = ''} = written;
	const added = effortAt === undefined ? effortLine.map(line => `${start.replace(/name.*$/, '')}${line}${end}`) : [];
	const named = lines.with(nameAt - 1, `${start}${quotedText(name)}${rest}`);
	if (effortAt === undefined) return named.toSpliced(nameAt, 0, ...added).join('\n');
	const level = assignment('effort').exec(lines[effortAt - 1] ?? '')?.groups;
	if (level === undefined) return undefined;
	const levelLine = effort === undefined ? [] : [`${level['start']}${JSON.stringify(effort)}${level['rest']}`];
	return named.toSpliced(effortAt - 1, 1, ...levelLine).join('\n');
}

/** Matches a line that assigns a plain text to a key of the table `model`. */
function assignment(key: string): RegExp {
	return new RegExp(
		String.raw`^(?<start>\s*(?:model\s*\.\s*)?${key}\s*=\s*)(?:"[^"\\]*"|'[^']*')(?<rest>\s*(?:#.*)?)$`,
	);
}

function withBreak(text: string): string {
	if (text === '') return '';
	return text.endsWith('\n') ? `${text}\n` : `${text}\n\n`;
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}

/** Returns a copy with plain prototypes, because the prototypes of parsed and literal tables differ. */
function plain(value: unknown): unknown {
	return structuredClone(value);
}
