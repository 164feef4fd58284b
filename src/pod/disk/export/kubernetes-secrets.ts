import type {Finding} from './finding.ts';
import {isPlainSecret, lineStart, passwordName} from './place.ts';

/** Returns the values in the manifests of Kubernetes secrets, in YAML and JSON. Their names do not matter. */
export function findKubernetesSecrets(text: string): readonly Finding[] {
	if (!/kind["']?\s{0,5}:\s{0,5}["']?Secret\b/.test(text)) return [];
	return [...inYaml(text), ...inJson(text)];
}

type Line = {
	readonly start: number;
	readonly indent: number;
	readonly rest: string;
	/** Whether the line separates two YAML documents. */
	readonly isBreak: boolean;
};

function inYaml(text: string): readonly Finding[] {
	const lines = linesOf(text);
	return documentsOf(lines)
		.filter(document => document.some(({rest}) => /^kind:\s{0,5}["']?Secret["']?\s*$/.test(rest)))
		.flatMap(document => document.flatMap((line, at) => (isData(line) ? valuesBelow(document, at) : [])));
}

function isData({rest}: Line): boolean {
	return /^(?:data|stringData):\s*$/.test(rest);
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
	const least = document[at]?.indent ?? 0;
	for (let next = at + 1; next < document.length; next++) {
		const {start, indent, rest} = document[next] ?? {start: 0, indent: 0, rest: ''};
		if (rest === '') continue;
		if (indent <= least) break;
		const [, name = '', quote = '', value = rest] =
			/^(["']?[\w.-]{1,253}["']?:(?:\s{1,20}|$))(["']?)(.*?)\2$/.exec(rest) ?? [];
		if (/^[|>][+-]?\d?$/.test(value)) continue;
		found.push(...secretAt(start + name.length + quote.length, value));
	}
	return found;
}

function inJson(text: string): readonly Finding[] {
	return [...text.matchAll(/"(?:data|stringData)"\s{0,5}:\s{0,5}\{([^{}]{1,100000})\}/g)].flatMap(
		({0: whole, 1: members = '', index}) => {
			const end = index + whole.length;
			if (
				!/"kind"\s{0,5}:\s{0,5}"Secret"/.test(
					text.slice(Math.max(0, index - near), index) + text.slice(end, end + near),
				)
			)
				return [];
			const from = end - 1 - members.length;
			return [...members.matchAll(/"[^"\n]{1,253}"\s{0,5}:\s{0,5}"([^"\\\n]{1,100000})"/g)].flatMap(
				({0: pair, 1: value = '', index: place}) =>
					secretAt(from + place + pair.length - 1 - value.length, value),
			);
		},
	);
}

/** The maximum number of characters between the kind of an object and its data. */
const near = 4000;

function secretAt(start: number, value: string): readonly Finding[] {
	if (isPlainSecret(value) && !/^[A-Za-z0-9+/]{4,}={0,2}$/.test(value)) return [];
	const meant = Buffer.from(value, 'base64').toString('utf8');
	const also = /^[\x20-\x7e]{6,400}$/.test(meant) ? [meant] : [];
	return [{name: passwordName, start, end: start + value.length, value, also}];
}
