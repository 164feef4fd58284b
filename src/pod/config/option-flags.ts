import {endSentence} from '../../language/index.ts';
import {optionFields, optionsSchema} from './config-schema.ts';
import type {ModelSettings} from './model-choice.ts';
import {required} from '../ground/values/is-record.ts';
import {optionSettings} from './model-choice.ts';
import * as texts from './texts.ts';
import {complaintOf} from './toml.ts';

type ParsedOptions =
	| {readonly ok: true; readonly settings: ModelSettings}
	| {readonly ok: false; readonly sentence: string};

/** Reads the values of `--option`. Each value is `key=value`. Several values for `stop` become a list. */
export function parseOptions(written: readonly string[]): ParsedOptions {
	const values: Record<string, unknown> = {};
	for (const option of written) {
		const [, key = '', value = ''] = /^([a-z_]+)=(.*)$/su.exec(option) ?? [];
		if (key === '' || !Object.hasOwn(optionFields, key))
			return refused(option, texts.unknownOption(Object.keys(optionFields)));
		const earlier = values[key];
		values[key] = key === 'stop' ? [...(Array.isArray(earlier) ? earlier : []), value] : valueOf(value);
	}
	const parsed = optionsSchema.safeParse(values);
	if (parsed.success) return {ok: true, settings: optionSettings(parsed.data)};
	const issue = required(parsed.error.issues[0], 'an issue');
	return {ok: false, sentence: `--option ${String(issue.path[0])} ${complaintOf(issue)}`};
}

function valueOf(text: string): unknown {
	if (text === 'true' || text === 'false') return text === 'true';
	return decimal.test(text) ? Number(text) : text;
}

function refused(option: string, why: string): ParsedOptions {
	return {ok: false, sentence: endSentence(`--option ${JSON.stringify(option)} ${why}`)};
}

const decimal = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
