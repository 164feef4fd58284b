import {en} from '../../language/index.ts';
import type {z} from 'zod';

/** Returns sentences about the arguments of a call that do not fit its tool, for the model. */
export function argumentProblems({issues}: z.ZodError, args: unknown): string {
	return issues.map(issue => problemOf(issue, args)).join('\n');
}

function problemOf(issue: z.core.$ZodIssue, args: unknown): string {
	const name = issue.path.length === 0 ? 'The arguments' : nameOf(issue.path);
	if (issue.code === 'unrecognized_keys') {
		const keys = issue.keys.map(key => JSON.stringify(key)).join(', ');
		return issue.path.length === 0 ? en`The tool has no argument ${keys}.` : en`${name} has no argument ${keys}.`;
	}
	if (issue.code === 'invalid_value') return en`${name} must be ${issue.values.map(asJson).join(' or ')}.`;
	if (issue.code !== 'invalid_type') return `${name}: ${issue.message}.`;
	const value = valueAt(args, issue.path);
	if (value === undefined) return en`${name} is missing. It must be ${withArticle(issue.expected)}.`;
	return en`${name} must be ${withArticle(issue.expected)}, not ${kindOf(value)}.`;
}

/** Returns the name of an argument: `"edits[0].old"`. */
function nameOf(path: readonly PropertyKey[]): string {
	const [first, ...rest] = path;
	const parts = rest.map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
	return JSON.stringify(String(first) + parts.join(''));
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
	let value = args;
	for (const part of path) value = value instanceof Object ? Reflect.get(value, part) : undefined;
	return value;
}

function kindOf(value: unknown): string {
	if (value === null) return 'null';
	return withArticle(Array.isArray(value) ? 'array' : typeof value);
}

function withArticle(kind: string): string {
	return kinds.get(kind) ?? `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

const kinds: ReadonlyMap<string, string> = new Map([
	['string', en`a string`],
	['number', en`a number`],
	['int', en`an integer`],
	['boolean', en`a boolean`],
	['array', en`an array`],
	['object', en`an object`],
]);

function asJson(value: unknown): string {
	return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value));
}
