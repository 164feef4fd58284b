import {en} from '../../../language/index.ts';
import type {DocumentMeta} from './frontmatter-schema.ts';
import {cutFrontmatter} from './frontmatter.ts';
import {short} from './short.ts';
import {workflowTexts} from './texts.ts';

/** A command or skill of another agent: its metadata and its text, or the end of a sentence about the file. */
type Imported =
	| {readonly ok: true; readonly meta: DocumentMeta; readonly body: string}
	| {readonly ok: false; readonly problem: string};

/**
Reads a command or a skill that was written for Claude Code or opencode. Only its text and `$ARGUMENTS` are used. The
frontmatter of such files is often not valid YAML, so this function reads it line by line, and only the keys that it
needs. A remark names everything that has no effect here.
*/
export function readImported(text: string, kind: 'command' | 'skill'): Imported {
	const cut = cutFrontmatter(text);
	if (!cut.ok) return cut;
	const {yaml = '', body} = cut;
	const entries = entriesOf(yaml);
	const valueOf = (name: string) => entries.find(({key}) => key === name)?.value ?? '';
	const description = valueOf('description') || firstLine(body);
	if (description === '') return {ok: false, problem: en`it has neither a description nor a text`};
	return {
		ok: true,
		body,
		meta: {
			description: short(description),
			requires: [],
			userInvocable: valueOf('user-invocable') !== 'false',
			modelInvocation: kind === 'skill' && valueOf('disable-model-invocation') !== 'true',
			remarks: remarksOf(
				entries.map(({key}) => key),
				body,
			),
		},
	};
}

type Entry = {readonly key: string; readonly value: string};

/** Returns the keys in the first column with their values on one line. */
function entriesOf(yaml: string): readonly Entry[] {
	const entries: Array<{readonly key: string; readonly lines: string[]}> = [];
	for (const line of yaml.split('\n')) {
		const [, key, rest = ''] = keyLine.exec(line) ?? [];
		if (key !== undefined) entries.push({key, lines: [rest]});
		else if (!line.startsWith('#')) entries.at(-1)?.lines.push(line);
	}
	return entries.map(({key, lines}) => ({key, value: plainValue(lines)}));
}

const keyLine = /^["']?([A-Za-z][\w-]{0,63})["']?[ \t]*:(?:[ \t]+(.*))?$/;

/** Returns a value without its quotes, its block mark (`|`, `>`) or a comment at its end. */
function plainValue([first = '', ...rest]: readonly string[]): string {
	const begin = /^[|>][+-]?\d?[ \t]*$/.test(first) ? '' : first;
	const value = [begin, ...rest.map(line => line.trim())].join(' ').trim();
	const quoted = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(value)?.[2];
	return (quoted ?? value.replace(/(?:^|\s)#.*$/, '')).trim();
}

/** Returns the first line with text. Marks of headings and comments in HTML are left out. */
function firstLine(body: string): string {
	const lines = body.slice(0, maxLookedAt).replaceAll(/<!--[^]*?(?:-->|$)/g, '');
	return (
		lines
			.split('\n')
			.map(line => line.replace(/^#+(?:\s|$)/, '').trim())
			.find(line => line !== '') ?? ''
	);
}

const maxLookedAt = 8192;

/** Keys that only describe a file, or that are used. Their absence from the result surprises nobody. */
const quietKeys: ReadonlySet<string> = new Set([
	'description',
	'name',
	'user-invocable',
	'disable-model-invocation',
	'argument-hint',
	'arguments',
	'license',
	'metadata',
	'version',
	'author',
	'compatibility',
]);

/** Each pattern finds a part of a body that has a meaning in another program. Here it is plain text. */
const plainParts: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
	['!command', /^[ \t]*!\S|(?:^|\s)!`/m],
	['@file', /(?:^|[\s(])@[\w$~./]/m],
	['$1', /\$[1-9]/],
];

const maxNamedKeys = 5;

function remarksOf(keys: readonly string[], body: string): readonly string[] {
	const named = [...new Set(keys.filter(key => !quietKeys.has(key)))].slice(0, maxNamedKeys);
	const parts = plainParts.flatMap(([name, pattern]) => (pattern.test(body) ? [name] : []));
	const all = [...named, ...parts];
	return all.length === 0 ? [] : [workflowTexts.notTakenOver(all)];
}
