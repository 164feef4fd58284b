import type {Finding} from './finding.ts';
import {endOf, isPlainSecret, lineStart, matchAt, passwordName} from './place.ts';

/** Returns the values in the manifests of Kubernetes secrets, in YAML and JSON. Their names do not matter. */
export function findKubernetesSecrets(text: string): readonly Finding[] {
	if (!/kind["']?\s{0,5}:\s{0,5}["']?Secret\b/.test(text)) return [];
	return [...inYaml(text), ...inFlow(text)];
}

type Line = {
	readonly start: number;
	readonly indent: number;
	readonly rest: string;
	/** Whether the line is a comment. */
	readonly isComment: boolean;
	/** Whether the line separates two YAML documents. */
	readonly isBreak: boolean;
};

function inYaml(text: string): readonly Finding[] {
	const lines = linesOf(text);
	return documentsOf(lines)
		.filter(document =>
			document.some(({rest}) => /(?:^|["'])["']?kind["']?:\s{0,5}["']?Secret["']?(?:\s{1,80}#.*)?$/.test(rest)),
		)
		.flatMap(document => document.flatMap((line, at) => (isData(line) ? valuesBelow(document, at) : [])));
}

function isData({rest}: Line): boolean {
	return /^["']?(?:data|stringData)["']?:(?:\s{1,80}#.*)?$/.test(rest);
}

function linesOf(text: string): readonly Line[] {
	let start = 0;
	return text.split('\n').map(whole => {
		lineHead.lastIndex = 0;
		const [head = ''] = lineHead.exec(whole) ?? [];
		const line = {
			start: start + head.length,
			indent: head.length - head.trimEnd().length,
			rest: whole.slice(head.length).trimEnd(),
			isComment: head.includes('#'),
			isBreak: /(?<!-)---\s{0,20}$/.test(whole) && /^-{0,3}\s{0,20}$/.test(whole.slice(head.length)),
		};
		start += whole.length + 1;
		return line;
	});
}

const lineHead = new RegExp(lineStart, 'y');

function documentsOf(lines: readonly Line[]): ReadonlyArray<readonly Line[]> {
	const documents: Line[][] = [[]];
	for (const line of lines) {
		if (line.isBreak) documents.push([]);
		else documents.at(-1)?.push(line);
	}
	return documents;
}

/** Returns the values of the lines that are indented deeper than a line. */
function valuesBelow(document: readonly Line[], at: number): readonly Finding[] {
	const found: Finding[] = [];
	const {indent: least = 0, isComment: isOff = false} = document[at] ?? {};
	for (let next = at + 1; next < document.length; next++) {
		const {start, indent, rest, isComment} = document[next] ?? {start: 0, indent: 0, rest: '', isComment: isOff};
		if (rest === '' || isComment !== isOff) continue;
		if (indent <= least) break;
		const [, name = '', , quoted, bare = rest] = member.exec(rest) ?? [];
		const value = quoted ?? bare;
		if (/^(?:!!?\w{1,20}\s{1,5})?[|>][+-]?\d?$/.test(value)) continue;
		found.push(...secretAt(start + name.length + rest.slice(name.length).indexOf(value), value));
	}
	return found;
}

/** A name of a member in YAML, which may be quoted. */
const memberName = String.raw`(?:"[^"\n]{1,253}"|'[^'\n]{1,253}'|[\w./-]{1,253})\s{0,5}:`;

/** A member on its own line, maybe with a comment. */
const member = new RegExp(
	`^(${memberName}(?:\\s{1,20}|$))(?:(["'])(.*?)\\2\\s{0,80}(?:#.*)?$|(.*?)(?:\\s{1,80}#.*)?$)`,
);

/** Returns the values in JSON, and in maps of YAML in braces. */
function inFlow(text: string): readonly Finding[] {
	return [...text.matchAll(/(?<![\w.-])["']?(?:data|stringData)["']?\s{0,5}:\s{0,5}\{/g)].flatMap(
		({0: head, index}) => {
			const {found, end} = flowValues(text, index + head.length);
			const before =
				text
					.slice(Math.max(0, index - near), index)
					.split(/\n---/)
					.at(-1) ?? '';
			const [after = ''] = text.slice(end, end + near).split(/\n---/, 1);
			return /["']?kind["']?\s{0,5}:\s{0,5}["']?Secret\b/.test(`${before}\n${after}`) ? found : [];
		},
	);
}

/** Returns the values of the members from a position on, up to a member whose value is not a text. */
function flowValues(text: string, from: number): {readonly found: readonly Finding[]; readonly end: number} {
	const found: Finding[] = [];
	let end = from;
	for (let at = memberStart(text, from), match = matchAt(flowMember, text, at); match !== undefined;) {
		end = at + match[0].length;
		const value = match.slice(1).find(group => group !== undefined) ?? '';
		found.push(...secretAt(end - value.length - (match[3] === undefined ? 1 : 0), value));
		at = memberStart(text, end);
		match = matchAt(flowMember, text, at);
	}
	return {found, end};
}

/** Returns where the next member starts: after blanks, comments, and what diffs and quotations write before a line. */
function memberStart(text: string, from: number): number {
	let at = from;
	for (let next = endOf(flowGap, text, at); next !== undefined; next = endOf(flowGap, text, at)) at = next;
	return at;
}

const flowGap = /[\s,]{1,80}|(?<=\n[ \t]{0,20})[+>|-]{1,2}(?=\s)|#[^\n]{1,200}/y;

const flowMember = new RegExp(
	memberName +
		String.raw`\s{0,20}(?:"((?:[^"\\\n]|\\[^\n]){0,100000})"|'([^'\n]{0,100000})'` +
		String.raw`|([^\s,{}"'[\]#&*!|>][^\s,{}]{0,100000}))`,
	'y',
);

/** The maximum number of characters between the kind of an object and its data. */
const near = 4000;

function secretAt(start: number, value: string): readonly Finding[] {
	if (isPlainSecret(value) && !/^[A-Za-z0-9+/]{4,}={0,2}$/.test(value)) return [];
	const meant = Buffer.from(value, 'base64').toString('utf8');
	const also = /^[\x20-\x7e]{6,400}$/.test(meant) ? [meant] : [];
	return [{name: passwordName, start, end: start + value.length, value, also}];
}
