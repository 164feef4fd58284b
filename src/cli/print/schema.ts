import {readFile, stat} from 'node:fs/promises';
import {Ajv, type ErrorObject, type ValidateFunction} from 'ajv';
import {Ajv2020} from 'ajv/dist/2020.js';
import {errorCode} from '../../pod/first-frame.ts';
import type {Segment} from '../../pod/protocol.ts';
import {schemaTexts} from './texts.ts';

/** A JSON Schema that the last answer must match. */
export type AnswerSchema = {
	/** The text about the schema in the message, so that the transcript shows it. */
	readonly segments: readonly Segment[];
	readonly check: (answer: string) => CheckedAnswer;
};

/** `problem`: why the answer does not match, as lines for the model. */
export type CheckedAnswer =
	| {readonly ok: true; readonly value: unknown}
	| {readonly ok: false; readonly problem: string};

type SchemaRead = {readonly ok: true; readonly schema: AnswerSchema} | {readonly ok: false; readonly sentence: string};

/**
Reads a JSON Schema. The draft is 2020-12, or draft 7 if the schema says so. A file that is not a JSON Schema is refused
before a request is sent.
*/
export async function readSchema(file: string): Promise<SchemaRead> {
	try {
		if ((await stat(file)).size > maxBytes) return {ok: false, sentence: schemaTexts.tooLarge(file)};
		const text = await readFile(file, 'utf8');
		const value = parsed(text);
		if (typeof value !== 'boolean' && (typeof value !== 'object' || value === null))
			return {ok: false, sentence: schemaTexts.notJson(file)};
		return compiled(file, text.trim(), value);
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return {ok: false, sentence: schemaTexts.unreadable(file, errorCode(error))};
	}
}

/** Returns the message that asks once more for an answer that matches. */
export function repairSegments(problem: string): Segment[] {
	return [{type: 'text', text: schemaTexts.repair(problem)}];
}

function compiled(file: string, text: string, value: boolean | object): SchemaRead {
	const isOld = typeof value === 'object' && '$schema' in value && /draft-0?7/.test(String(value.$schema));
	// Unknown keywords and formats are ignored, as the specification says.
	const options = {allErrors: true, strict: false, logger: false, validateFormats: false} as const;
	let validate: ValidateFunction;
	try {
		validate = (isOld ? new Ajv(options) : new Ajv2020(options)).compile(value);
	} catch (error) {
		return {ok: false, sentence: schemaTexts.invalid(file, error instanceof Error ? error.message : String(error))};
	}
	const lines = text.split('\n').length;
	const paste: Segment = {type: 'paste', id: 'schema', chars: text.length, lines, content: text};
	return {
		ok: true,
		schema: {
			segments: [{type: 'text', text: `\n\n${schemaTexts.instruction}\n`}, paste],
			check: answer => checked(answer, validate),
		},
	};
}

function checked(answer: string, validate: ValidateFunction): CheckedAnswer {
	const value = parsed(withoutFence(answer.trim()));
	if (value === undefined) return {ok: false, problem: schemaTexts.noJson};
	if (validate(value)) return {ok: true, value};
	const errors = validate.errors ?? [];
	const more = errors.length > maxErrors ? [`- and ${errors.length - maxErrors} more`] : [];
	return {ok: false, problem: [...errors.slice(0, maxErrors).map(errorLine), ...more].join('\n')};
}

function errorLine({instancePath, message = 'is wrong'}: ErrorObject): string {
	return `- ${instancePath === '' ? 'the value' : instancePath.slice(0, 200)} ${message.slice(0, 300)}`;
}

/**
Returns the JSON in a code block, or the text itself. Models often put JSON into a code block, although they are asked
not to.
*/
function withoutFence(text: string): string {
	return /^```(?:json)?\n([^]*)\n```$/i.exec(text)?.[1] ?? text;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const maxBytes = 262_144;
const maxErrors = 20;
