import {en} from '../../../language/index.ts';
import {z} from 'zod';
import {short} from './short.ts';
import {isSlug} from './slug.ts';
import {workflowTexts} from './texts.ts';

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
				input === undefined || input === null ? en`it has no ${key}` : en`its ${key} is not a text`,
		})
		.refine(value => value.trim() !== '', en`its ${key} is empty`);
const flag = (key: string) => z.boolean({error: en`its ${key} is neither true nor false`}).optional();
const slugs = (key: string) =>
	z
		.array(z.string().refine(isSlug), {error: en`its ${key} is not a list of slugs`})
		.max(maxRequired, en`its ${key} names more than ${maxRequired} documents`)
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
			{error: en`its metadata is not a list of keys with values`},
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
of its folder, which is the slug.
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

function unknownKeys(keys: Readonly<Record<string, unknown>>, schema: z.ZodObject): string[] {
	const unknown = Object.keys(keys).filter(key => !Object.hasOwn(schema.shape, key));
	const named = unknown.slice(0, maxNamedKeys).map(key => Array.from(key).slice(0, 64).join(''));
	return unknown.length === 0 ? [] : [workflowTexts.unknownKeys(named, unknown.length - named.length)];
}

function problemOf(error: z.ZodError): MetaResult {
	const [issue] = error.issues;
	const isInList = issue !== undefined && issue.path.length > 1 && issue.path.includes('requires');
	return {ok: false, problem: isInList ? en`its requires is not a list of slugs` : (issue?.message ?? error.message)};
}
