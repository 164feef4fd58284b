/** One entry of a git configuration. The names of sections and keys are in lower case, and values are unquoted. */
export type GitConfigEntry = {
	/** The section and the name, as in `core.autocrlf`. */
	readonly key: string;
	/** The text in quotes after the section in a header. The text is case-sensitive. */
	readonly subsection?: string;
	/** The value. It is `true` for a name without a value. */
	readonly value: string;
};

type GitConfigText = {
	readonly entries: readonly GitConfigEntry[];
	/** The number of the first line that git refuses. Because of such a line, git ignores the whole file. */
	readonly brokenLine?: number;
};

/**
Reads a configuration exactly as git does (git-config(1), "Syntax"). After a broken line it continues with the next
line.
*/
export function parseGitConfig(written: string): GitConfigText {
	const text = `${written.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')}\n`;
	const entries: GitConfigEntry[] = [];
	let section: Section = {name: ''};
	let brokenLine: number | undefined;
	for (let at = 0; at < text.length;) {
		const skipped = matchAt(blank, text, at);
		if (skipped !== undefined) at += skipped[0].length;
		if (at >= text.length) break;
		const header = matchAt(headerPattern, text, at);
		const entry = header === undefined ? entryAt(text, at) : undefined;
		if (header !== undefined) {
			section = sectionOf(header);
			at += header[0].length;
		} else if (entry === undefined) {
			brokenLine ??= text.slice(0, at).split('\n').length;
			at = text.indexOf('\n', at) + 1;
		} else {
			const {name, subsection} = section;
			entries.push({
				key: `${name}.${entry.name}`,
				subsection,
				value: entry.value,
			});
			at = entry.end;
		}
	}
	return {entries, brokenLine};
}

type Section = {readonly name: string; readonly subsection?: string};

/** Matches blanks and comments. A backslash at the end of a comment does not continue the comment on the next line. */
const blank = /(?:[ \t\r\n]|[#;][^\n]*)+/y;
const headerPattern = /\[([a-z\d.-]*)(?:[ \t\r]+"((?:[^"\\\n]|\\[^\n])*)")?\]/iy;
const namePattern = /([a-z][a-z\d-]*)[ \t]*(=?)/iy;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
	pattern.lastIndex = at;
	return pattern.exec(text) ?? undefined;
}

function sectionOf([, name = '', subsection]: RegExpExecArray): Section {
	const lower = name.toLowerCase();
	return subsection === undefined ? {name: lower} : {name: lower, subsection: subsection.replaceAll(/\\(.)/g, '$1')};
}

type Found = {readonly name: string; readonly value: string; readonly end: number};

function entryAt(text: string, at: number): Found | undefined {
	const [found, name = '', sign] = matchAt(namePattern, text, at) ?? [];
	if (found === undefined) return undefined;
	const after = at + found.length;
	if (sign === '=') {
		const read = valueAt(text, after);
		return read && {name: name.toLowerCase(), ...read};
	}
	return text[after] === '\n' ? {name: name.toLowerCase(), value: 'true', end: after} : undefined;
}

const escapes: Readonly<Record<string, string>> = {t: '\t', b: '\b', n: '\n', '\\': '\\', '"': '"', '\n': ''};

/**
Returns a value without quotes, comment, and blanks at both ends. A backslash continues the value on the next line.
*/
function valueAt(text: string, start: number): {readonly value: string; readonly end: number} | undefined {
	let value = '';
	let blanks = '';
	let isQuoted = false;
	let at = start;
	for (; at < text.length && text[at] !== '\n'; at += 1) {
		const character = text[at] ?? '';
		if (!isQuoted && (character === '#' || character === ';')) {
			at = text.indexOf('\n', at);
			break;
		}
		if (!isQuoted && /[ \t\r]/.test(character)) {
			if (value !== '') blanks += character;
			continue;
		}
		const escaped = character === '\\' ? escapes[text[(at += 1)] ?? '\n'] : undefined;
		if (character === '\\' && escaped === undefined) return undefined;
		if (character === '"') isQuoted = !isQuoted;
		else {
			const added = escaped ?? character;
			if (added !== '') value += blanks + added;
			if (added !== '') blanks = '';
		}
	}
	return isQuoted ? undefined : {value, end: at};
}
