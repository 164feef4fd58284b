import {en} from '../../../language/index.ts';
import {z} from 'zod';
import {short} from './short.ts';
import {isSlug} from './slug.ts';
import {workflowTexts} from './texts.ts';
import type * as Yaml from 'yaml';
import {isRecord} from '../../ground/values/is-record.ts';

/** The metadata of a document. */
export type DocumentMeta = {
	/** The description on one line, up to 1024 characters. It is empty for Knowledge without a description. */
	readonly description: string;
	/** The slugs of the required Knowledge, each once, in the given order. */
	readonly requires: readonly string[];
	readonly userInvocable: boolean;
	readonly modelInvocation: boolean;
	/** Remarks about unknown keys, as ends of a sentence about the file. */
	readonly remarks: readonly string[];
};

export type MetaResult =
	| {readonly ok: true; readonly meta: DocumentMeta}
	| {readonly ok: false; readonly problem: string};

/** The maximum number of Knowledge documents that a workflow may require. */
const maxRequired = 32;

/** The maximum number of unknown keys that a remark names. */
const maxNamedKeys = 5;

const text = (key: string) =>
	z
		.string({
			error: ({input}) =>
				input === undefined || input === null ? en`it has no ${key}` : en`its key ${key} is not text`,
		})
		.refine(value => value.trim() !== '', en`its key ${key} is empty`);

const flag = (key: string) => z.boolean({error: en`its key ${key} is neither true nor false`}).optional();

const slugs = (key: string) =>
	z
		.array(z.string().refine(isSlug), {error: en`its key ${key} is not a list of slugs`})
		.max(maxRequired, en`its key ${key} names more than ${maxRequired} documents`)
		.nullish()
		.transform(list => [...new Set(list)]);

const workflow = z.looseObject({
	description: text('description'),
	requires: slugs('requires'),
	user_invocable: flag('user_invocable'),
	model_invocation: flag('model_invocation'),
	model_invokation: flag('model_invokation'),
});

const knowledge = z.looseObject({description: text('description').optional()});

/**
The schema of a SKILL.md according to agentskills.io. In this schema `requires` is a list inside a string, because all
metadata values are strings.
*/
const skill = z.looseObject({
	name: text('name').refine(isSlug, en`its name is not a slug`),
	description: text('description'),
	metadata: z
		.looseObject(
			{
				requires: z.preprocess(
					value => (typeof value === 'string' ? value.split(/[\s,]+/).filter(word => word !== '') : value),
					slugs('metadata.requires'),
				),
			},
			{error: en`its key metadata is not a list of keys with values`},
		)
		.nullish(),
});

/** Parses the frontmatter of a workflow. */
export function workflowMeta(keys: Readonly<Record<string, unknown>>): MetaResult {
	const parsed = workflow.safeParse(keys);
	if (!parsed.success) return problemOf(parsed.error);
	const {
		description,
		requires,
		user_invocable: user,
		model_invocation: model,
		model_invokation: misspelt,
	} = parsed.data;
	return {
		ok: true,
		meta: {
			description: short(description),
			requires,
			userInvocable: user ?? true,
			modelInvocation: model ?? misspelt ?? false,
			remarks: unknownKeys(keys, workflow),
		},
	};
}

export function knowledgeMeta(keys: Readonly<Record<string, unknown>>): MetaResult {
	const parsed = knowledge.safeParse(keys);
	if (!parsed.success) return problemOf(parsed.error);
	return {
		ok: true,
		meta: {
			description: short(parsed.data.description ?? ''),
			requires: [],
			userInvocable: false,
			modelInvocation: false,
			remarks: unknownKeys(keys, knowledge),
		},
	};
}

/**
Parses the frontmatter of a SKILL.md. Other programs use skills too, so no key counts as unknown. `folder` is the name
of the skill's folder, which is the slug.
*/
export function skillMeta(keys: Readonly<Record<string, unknown>>, folder: string): MetaResult {
	const parsed = skill.safeParse(keys);
	if (!parsed.success) return problemOf(parsed.error);
	const {name, description, metadata} = parsed.data;
	const remarks = name === folder ? [] : [workflowTexts.otherName(name, folder)];
	return {
		ok: true,
		meta: {
			description: short(description),
			requires: metadata?.requires ?? [],
			userInvocable: true,
			modelInvocation: true,
			remarks,
		},
	};
}

/**
The maximum number of characters of a frontmatter. A YAML parser takes at most 60 ms for the worst text of this length.
*/
export const maxFrontmatter = 8192;

/**
Splits a document. If the document has no `---` line at its start, the whole text is the body. Refuses aliases, tags,
keys that are not strings, and duplicate keys.
*/
export async function splitFrontmatter(text: string): Promise<Frontmatter> {
	const cut = cutFrontmatter(text);
	if (!cut.ok) return cut;
	const {yaml = '', body} = cut;
	const parsed = yaml.trim() === '' ? {ok: true as const, value: {}} : await parse(yaml);
	if (!parsed.ok) return parsed;
	const {value} = parsed;
	if (!isRecord(value)) return problem(en`its frontmatter is not a list of keys with values`);
	return {ok: true, keys: value, body};
}

/** Splits a document after its frontmatter, without parsing the frontmatter. */
export function cutFrontmatter(text: string): CutFrontmatter {
	const opening = /^---[ \t]*(?:\n|$)/.exec(text)?.[0];
	if (opening === undefined) return {ok: true, body: text};
	const closing = /^---[ \t]*(?:\n|$)/m.exec(text.slice(opening.length));
	if (closing === null) return problem(en`its frontmatter has no closing --- line`);
	const end = opening.length + closing.index;
	if (end > maxFrontmatter) return problem(en`its frontmatter has more than ${maxFrontmatter} characters`);
	// A line break replaces the first line, so that the parser's line numbers match the file.
	return {ok: true, yaml: `\n${text.slice(opening.length, end)}`, body: text.slice(end + closing[0].length)};
}

function unknownKeys(keys: Readonly<Record<string, unknown>>, schema: z.ZodObject): string[] {
	const unknown = Object.keys(keys).filter(key => !Object.hasOwn(schema.shape, key));
	const named = unknown.slice(0, maxNamedKeys).map(key => Array.from(key).slice(0, 64).join(''));
	return unknown.length === 0 ? [] : [workflowTexts.unknownKeys(named, unknown.length - named.length)];
}

function problemOf(error: z.ZodError): MetaResult {
	const [issue] = error.issues;
	const isInList = issue !== undefined && issue.path.length > 1 && issue.path.includes('requires');
	return {
		ok: false,
		problem: isInList ? en`its key requires is not a list of slugs` : (issue?.message ?? error.message),
	};
}

/**
The plain data between the `---` lines and the text after them, or a problem as the end of a sentence about the file.
*/
type Frontmatter =
	| {readonly ok: true; readonly keys: Readonly<Record<string, unknown>>; readonly body: string}
	| {readonly ok: false; readonly problem: string};

/** The text between the `---` lines, and the text after them. `yaml` is absent if there are no such lines. */
type CutFrontmatter =
	| {readonly ok: true; readonly yaml?: string; readonly body: string}
	| {readonly ok: false; readonly problem: string};

type Parsed = {readonly ok: true; readonly value: unknown} | {readonly ok: false; readonly problem: string};

async function parse(yaml: string): Promise<Parsed> {
	const lib = await import('yaml');
	const document = lib.parseDocument(yaml, {
		schema: 'core',
		merge: false,
		resolveKnownTags: false,
		uniqueKeys: false,
		logLevel: 'silent',
	});
	const [trouble] = [...document.errors, ...document.warnings];
	if (trouble !== undefined)
		return problem(isDeep(yaml) ? tooDeep : en`its frontmatter is not valid YAML (${firstLine(trouble.message)})`);
	try {
		return {ok: true, value: plain(document.contents, lib, 0)};
	} catch (error) {
		if (error instanceof Unwanted) return problem(en`its frontmatter contains ${error.message}`);
		throw error;
	}
}

class Unwanted extends Error {}

const maxDepth = 8;

const nestedTooDeep = en`values that are nested more than ${maxDepth} deep`;

const tooDeep = en`its frontmatter contains ${nestedTooDeep}`;

/**
Tells whether a rejected text has deeper nesting than any document needs. For such a text, the parser's own message
would be about the parser's stack.
*/
function isDeep(yaml: string): boolean {
	return yaml.split('\n').some(line => /^[ ]*(?:[-?][ ]+){50}/.test(line) || bracketsIn(line) >= 50);
}

function bracketsIn(line: string): number {
	let open = 0;
	let max = 0;
	for (const character of line) {
		open += Number(character === '[' || character === '{') - Number(character === ']' || character === '}');
		max = Math.max(max, open);
	}
	return max;
}

/**
Returns the plain data of a node. The YAML library's own conversion takes minutes for some documents of a few kilobytes.
*/
function plain(node: unknown, lib: typeof Yaml, depth: number): unknown {
	if (node === null || node === undefined) return null;
	if (depth > maxDepth) throw new Unwanted(nestedTooDeep);
	if (lib.isScalar(node)) return node.value;
	if (lib.isSeq(node)) return node.items.map(item => plain(item, lib, depth + 1));
	if (!lib.isMap(node)) throw new Unwanted(en`an alias, which is not supported here`);
	const entries = new Map<string, unknown>();
	for (const {key, value} of node.items) {
		const name = lib.isScalar(key) ? key.value : undefined;
		if (typeof name !== 'string') throw new Unwanted(en`a key that is not text`);
		if (entries.has(name)) throw new Unwanted(en`the key ${name.slice(0, 64)} twice`);
		entries.set(name, plain(value, lib, depth + 1));
	}
	return Object.fromEntries(entries);
}

function firstLine(message: string): string {
	return message.replace(/\n.*/s, '').replace(/:$/, '').slice(0, 200);
}

function problem(text: string): {readonly ok: false; readonly problem: string} {
	return {ok: false, problem: text};
}
