import type {Finding} from './finding.ts';
import {endOf, lineStart, matchAt} from './place.ts';
import {isPlainValue, looksChosen, type ValueStyle} from './plain-values.ts';
import {classOf, nameStart, type NameClass} from './secret-names.ts';

/**
Returns the values after the names of secrets: `DB_PASS=x`, `"token": "x"`, `--password x`, `<secret>x</secret>`,
`x-api-key: x`, and the like. Placeholders, references, types and code are not returned.
*/
export function findNamedValues(text: string): readonly Finding[] {
	const found: Finding[] = [];
	nameStart.lastIndex = 0;
	for (let match = nameStart.exec(text); match !== null; match = nameStart.exec(text)) {
		const name = nameAt(text, match.index, match.index + match[0].length);
		nameStart.lastIndex = Math.max(name.end, match.index + match[0].length);
		const kind = classOf(name.text);
		if (kind === undefined) continue;
		const place = placeOf(text, name, kind);
		for (const value of place === undefined ? [] : valuesAt(text, place)) {
			if (value.text === '' || isPlainValue(value.text, {name: name.text, kind, ...value})) continue;
			if (place?.needsRandom === true && !looksChosen(value.text)) continue;
			if (isName(text, value)) continue;
			found.push({name: 'password or token', start: value.start, end: value.end, value: value.text});
			nameStart.lastIndex = Math.max(nameStart.lastIndex, value.end);
		}
	}
	return found;
}

/** Tells whether a value is itself the name of another value, as in `secret: db_password: x`. */
function isName(text: string, {text: value, start, style}: Value): boolean {
	const [word = ''] = /^[\w.-]{1,64}/.exec(value) ?? [];
	if (style === 'quoted' || word === '' || classOf(word) === undefined) return false;
	return /^\s/.test(matchAt(separator, text, start + word.length)?.[3] ?? '');
}

type Name = {readonly text: string; readonly start: number; readonly end: number};

/** Returns the whole name that contains a word. */
function nameAt(text: string, from: number, to: number): Name {
	let [start, end] = [from, to];
	while (start > 0 && from - start < maxNameLength && isNamePart(text.charCodeAt(start - 1))) start--;
	while (end < text.length && end - to < maxNameLength && isNamePart(text.charCodeAt(end))) end++;
	return {text: text.slice(start, end), start, end};
}

function isNamePart(code: number): boolean {
	return (
		(code >= 0x61 && code <= 0x7a) ||
		(code >= 0x41 && code <= 0x5a) ||
		(code >= 0x30 && code <= 0x39) ||
		code === 0x5f ||
		code === 0x2d ||
		code === 0x2e
	);
}

type Place = {
	/** The index at which the value begins, including its quotes. */
	readonly at: number;
	readonly style: ValueStyle;
	/** Whether the value must be in quotes. */
	readonly needsQuotes?: boolean;
	/** Whether the value must look chosen (see `looksChosen`). */
	readonly needsRandom?: boolean;
	/** A further character that ends a bare value. */
	readonly until?: string;
};

const quoted = String.raw`\\{0,8}["'\`]`;
/**
The characters that may come between a name and its separator. `]` and `)` end an index or a list of arguments. `?` and
`!` belong to a type.
*/
const afterName = new RegExp(`(?:\\[\\d{0,6}\\])?(${quoted})?[\\])?!*]{0,2}`, 'y');
const references = '(?:Ref|Sub|GetAtt|ImportValue|FindInMap|Join|Select|If|secret|env_var|env|ENV|reference|include)';
/** A tag of YAML that names a secret elsewhere is a part of the value. Any other tag precedes the value. */
const tag = String.raw`(?:!!?(?!${references}\b)[\w/:.-]{1,40}|&\w{1,40})[ \t]{1,8}(?!=)`;
const separator = new RegExp(
	String.raw`([ \t]{0,40})(=>|:=|===?|[!?|+~]{0,2}=|->|<-|:|：|%3[dDaA])(\*{0,2}[ \t]{0,40}(?:${tag})?)`,
	'y',
);
const pair = new RegExp(
	`(?:\\s{0,40}|[ \\t]{0,20}\\r?\\n${lineStart})(?:,\\s{0,40})?(?:-\\s)?(?:${quoted})?` +
		`(?:[a-z]{1,12}:)?(?:value|content|default|default_?value|secret)` +
		`(?:${quoted})?\\s{0,8}[:=]\\s{0,8}`,
	'iy',
);
/** A type before the value: `password: string = `. */
const typed = /&?[A-Za-z][\w.<>[\] |]{0,60}?[ \t]{1,4}=(?![=>])[ \t]{1,8}/y;
const listed = new RegExp(`\\s{0,8}[,(]\\s{0,8}(?:<<)?(?=[bfru@$]{0,2}${quoted})`, 'y');
/** An operator before a default value, as in `TOKEN || "x"`, or the dot in `(token . "x")`, a pair of Lisp. */
const otherwise = new RegExp(
	`[ \\t]{0,8}(?:\\|\\||\\?\\?|[ \\t]or[ \\t]|(?<=\\((?:${quoted})?[\\w.-]{1,64}(?:${quoted})?[ \\t]{1,8})\\.)` +
		`[ \\t]{0,8}(?=${quoted})`,
	'y',
);
/** Blanks, and maybe the next line. */
const blanks = `(?:\\s{0,40}|[ \\t]{0,20}\\r?\\n${lineStart})`;
/** The start of an object that contains the value: `{"value": `, also after the value's type. */
const member = new RegExp(
	`\\{${blanks}(?:"(?:sensitive|type)"\\s{0,5}:\\s{0,5}(?:"\\w{0,20}"|true|false)\\s{0,5},${blanks}){0,2}` +
		`(?:${quoted})?(?:value|plain|plaintext|secret)(?:${quoted})?\\s{0,8}:\\s{0,8}`,
	'iy',
);
/** The start of a call that contains the value: `String::from(`. */
const wrapper = new RegExp(`(?:new )?[A-Za-z][\\w.:]{0,40}\\((?=[bfru@$]{0,2}${quoted})`, 'y');
/** The start of a text on the next lines: a block of YAML, `<<EOF`, `$(cat <<EOF`, or `@"` of PowerShell. */
const hereDocument = `(?:"?(?:\\$\\(|\`)cat[ \\t]{1,4})?<<[-~<]?[ \\t]{0,2}\\\\?["']?\\w{1,40}["']?[^\\s"']{0,40}`;
const block = new RegExp(`(?:[|>][+-]?\\d?|${hereDocument}|@["'])[ \\t]{0,8}\\r?\\n${lineStart}`, 'y');
const document = new RegExp(`[ \\t]{1,8}${hereDocument}[ \\t]{0,8}\\r?\\n${lineStart}`, 'y');
const nextLine = new RegExp(`[(\\\\]?[ \\t]{0,8}\\r?\\n${lineStart}(?=[bfru@$]{0,2}${quoted})`, 'y');

/** Returns the place of a name's value, or `undefined` if the name has no value. */
function placeOf(text: string, name: Name, kind: NameClass): Place | undefined {
	const closed = endOf(afterName, text, name.end) ?? name.end;
	const parts = matchAt(separator, text, closed);
	if (parts !== undefined) return assigned(text, name, closed, parts);
	const isQuoted = closed > name.end;
	const paired = isQuoted || text.startsWith('name', name.start - 6) ? endOf(pair, text, closed) : undefined;
	const bare = endOf(pair, text, name.end);
	if (paired !== undefined) return {at: paired, style: 'bare'};
	if (
		bare !== undefined &&
		/(?:name|key)["']?\s{0,8}[:=]\s{0,8}$/i.test(text.slice(Math.max(0, name.start - 30), name.start))
	)
		return {at: bare, style: 'bare'};
	const fallback = endOf(otherwise, text, closed);
	if (fallback !== undefined) return {at: fallback, style: 'quoted', needsQuotes: true};
	const argument = endOf(listed, text, closed);
	if (argument !== undefined) return {at: argument, style: 'quoted', needsQuotes: true, needsRandom: true};
	const isTag =
		text[name.start - 1] === '<' ||
		(isQuoted && isAttribute.test(text.slice(Math.max(0, name.start - 12), name.start)));
	const tag = isTag ? endOf(tagEnd, text, name.end) : undefined;
	const string = tag ?? endOf(nextString, text, name.end);
	if (string !== undefined) return {at: string, style: 'assigned', until: '<'};
	return spaced(text, name, kind);
}

function assigned(
	text: string,
	name: Name,
	closed: number,
	[whole, before, sign, after]: RegExpExecArray,
): Place | undefined {
	const at = closed + whole.length;
	if (closed === name.end && endsPrompt(text, name.start, at)) return undefined;
	const from =
		(sign === ':' ? endOf(typed, text, at) : undefined) ??
		endOf(block, text, at) ??
		endOf(nextLine, text, at) ??
		endOf(member, text, at) ??
		at;
	const wrapped = endOf(wrapper, text, from);
	if (wrapped !== undefined) return {at: wrapped, style: 'quoted', needsQuotes: true, needsRandom: true};
	const isTight = sign === '=' && before === '' && after === '';
	const isQuery = /[?&]/.test(text[name.start - 1] ?? '');
	const tight = name.text.startsWith('-') ? 'option' : 'assigned';
	return {at: from, style: isTight ? tight : 'bare', ...(isQuery && {until: '&'})};
}

/** Tells whether a quote ends a text that began before a name: `read -p "Password: " x`. */
function endsPrompt(text: string, start: number, at: number): boolean {
	const [, quote = ''] = matchAt(/(\\{0,8}["'])(?=[\s,;)+\]}])/y, text, at) ?? [];
	if (quote === '') return false;
	const before = text.slice(Math.max(0, start - 200), start);
	const line = before.slice(before.lastIndexOf('\n') + 1);
	const last = line.lastIndexOf(quote);
	return last >= 0 && /^[\s([{,=:]?$/.test(line.slice(Math.max(0, last - 1), last));
}

/** The end of a tag, and the start of an inner element or a CDATA section that contains the value. */
const tagEnd = new RegExp(`[^<>]{0,200}>(?:${blanks}(?:<value>\\s{0,40}|<!\\[CDATA\\[)|\\s{0,40})`, 'iy');
/** The next member in a property list of Apple. */
const nextString = new RegExp(`</key>${blanks}<string>`, 'iy');
const isAttribute = /=\\{0,8}["']$/;
const options = /(?:^|[\s"'`=,([])--?(?:no-)?$/;
const setters = new RegExp(
	String.raw`(?:^|[\s"'\`+-])(?:ENV|ARG|SetEnv|fastcgi_param|setenv|setx|set -[a-zA-Z]{1,4}` +
		String.raw`|export|config set|secret set|var set|env add)\s{1,8}$`,
);
const gap = new RegExp(`(?:["'],)?[ \\t]{1,40}(?:\\\\\\r?\\n${lineStart})?`, 'y');
/** The start of the next argument in a YAML list. */
const nextItem = new RegExp(`(?:${quoted})?\\r?\\n${lineStart}-[ \\t]{1,4}(?!(?:${quoted})?-)`, 'y');
const valueOption = /--(?:body|value)[ =]{1,3}/y;
const quotedWord = /^(\\{0,8}["'])[a-z]{6,40}\1/;
const said = /[ \t]{1,40}(?:is|was|ist|lautet|est|are|[=|—–])?:?[ \t]{1,4}/y;
/** The next cell of a row, after a name that is code or bold. */
const nextCell = /[`*]{1,2}[ \t]{1,20}\|[ \t]{1,20}/y;

/**
Returns the place of a value that follows its name after blanks: `--password x`, `ENV TOKEN x`, `PASSWORD 'x'`, `the
password is x`.
*/
function spaced(text: string, {start, end: to, text: name}: Name, kind: NameClass): Place | undefined {
	const dashes = /^-{1,2}/.exec(name)?.[0] ?? '';
	const given = kind === 'key' || text[start - 1] === '/' ? undefined : endOf(document, text, to);
	if (given !== undefined) return {at: given, style: 'bare'};
	const item = dashes === '' || kind === 'key' ? undefined : endOf(nextItem, text, to);
	if (item !== undefined) return {at: item, style: 'assigned', needsRandom: true};
	const cell = kind === 'key' ? undefined : endOf(nextCell, text, to);
	if (cell !== undefined) return {at: cell, style: 'bare', needsRandom: true};
	const at = endOf(gap, text, to);
	// `!secret x` in YAML names a secret elsewhere.
	if (at === undefined || text[start - 1] === '!') return undefined;
	const before = text.slice(Math.max(0, start - 24), start);
	if ((dashes !== '' || options.test(before)) && kind !== 'key' && text[at] !== '-') return {at, style: 'assigned'};
	const option = endOf(valueOption, text, at);
	if (option !== undefined && kind !== 'key') return {at: option, style: 'assigned'};
	if (setters.test(before) && kind !== 'key') return {at, style: 'assigned'};
	if (kind === 'key') return undefined;
	const from = endOf(said, text, to) ?? at;
	// `storePassword 'x'`
	const isWord = /passw(?:or)?d/i.test(name) && from === at && quotedWord.test(text.slice(at, at + 60));
	return {at: from, style: 'bare', needsRandom: !isWord};
}

type Value = {
	readonly text: string;
	readonly start: number;
	readonly end: number;
	readonly style: ValueStyle;
	readonly endsLine: boolean;
};

/** Returns the value at a place, or all values of a list. */
function valuesAt(text: string, place: Place): readonly Value[] {
	const list = endOf(listStart, text, place.at);
	const values: Value[] = [];
	let next: number | undefined = list ?? place.at;
	while (next !== undefined && values.length < maxListed) {
		const value = valueAt(text, {...place, at: next});
		if (value === undefined) break;
		values.push(value);
		next = list === undefined ? undefined : endOf(listNext, text, value.end);
	}
	return values;
}

const listStart = new RegExp(`\\[\\s{0,40}(?=${quoted})`, 'y');
const listNext = new RegExp(`${quoted}\\s{0,40},\\s{0,40}(?=${quoted})`, 'y');

const firstLine = new RegExp(`[ \\t]{0,8}\\r?\\n${lineStart}`, 'y');

const opening = /(?:[bfru@$]{0,2})(\\{0,8})("""|'''|["'`])/iy;

function valueAt(text: string, {at, style, needsQuotes, until}: Place): Value | undefined {
	const open = matchAt(opening, text, at);
	if (open !== undefined) {
		const opened = at + open[0].length;
		// A text in three quotes may begin on the next line.
		const start = open[2]?.length === 3 ? (endOf(firstLine, text, opened) ?? opened) : opened;
		const stop = closingQuote(text, start, open[1] ?? '', open[2] ?? '');
		return {text: text.slice(start, stop), start, end: stop, style: 'quoted', endsLine: false};
	}
	if (needsQuotes === true) return undefined;
	const stop = bareEnd(text, at, until);
	return {
		text: text.slice(at, stop),
		start: at,
		end: stop,
		style,
		endsLine: /^[ \t]{0,20}(?:[\r\n"'`\\]|$|[ \t][#;]|[ \t]--?[A-Za-z]|<\/)/.test(text.slice(stop, stop + 24)),
	};
}

/**
Returns the index at which a value in quotes ends. If its line contains no closing quote, the value ends with the line.
*/
function closingQuote(text: string, from: number, slashes: string, quote: string): number {
	const near = text.slice(from, from + maxValueLength);
	const [line = ''] = quote.length === 3 || quote === '`' ? [near] : near.split(/\r?\n/, 1);
	for (let at = line.indexOf(quote); at >= 0; at = line.indexOf(quote, at + 1)) {
		let before = 0;
		while (before < at && line[at - before - 1] === '\\') before++;
		if (before === slashes.length || (slashes === '' && before % 2 === 0)) return from + at - slashes.length;
		if (before < slashes.length) return from + cutEnd(line.slice(0, at - before));
	}
	return from + cutEnd(line);
}

/** Returns the length of a value without a closing quote. It ends before an escaped line break. */
function cutEnd(line: string): number {
	return (line.split(/\\{1,8}[nr]/, 1)[0] ?? '').trimEnd().length;
}

/**
Matches the end of a bare value: a blank, a quote at its end, an escaped line break, the next name in a list, or a
separator at the end of a word.
*/
const bareStop = new RegExp(
	[
		String.raw`\s|\\{1,8}["'\`]`,
		String.raw`\\{1,8}[nr](?=$|["'\\\s+-]|[\w.-]{1,60}\s?[=:])`,
		String.raw`["'\`](?=$|[\s,;:)\]}>])`,
		String.raw`%26|[;,&](?=$|[\s"'\`\\]|[\w.-]{1,60}=)`,
	].join('|'),
);

function bareEnd(text: string, from: number, until: string | undefined): number {
	const near = text.slice(from, from + maxBareLength);
	const found = near.search(bareStop);
	// If the first characters contain no end, the value continues only if it is a long run of base64.
	const stopped = found >= 0 ? from + found : (endOf(/[\w+/=.-]{0,20000}/y, text, from + near.length) ?? from);
	const own = until === undefined ? -1 : text.slice(from, stopped).indexOf(until);
	let stop = own < 0 ? stopped : from + own;
	for (let count = 0; count < 8 && stop > from && isLoose(text, from, stop); count++) stop--;
	return stop;
}

/**
Tells whether the last character does not belong to the value, because it closes a bracket or quote around the value, or
is a punctuation mark.
*/
function isLoose(text: string, from: number, stop: number): boolean {
	const last = text[stop - 1] ?? '';
	if (/[,;"'`]/.test(last)) return true;
	const at = ')]}>'.indexOf(last);
	if (at < 0) return false;
	const inside = text.slice(from, stop);
	return inside.split(last).length > inside.split('([{<'[at] ?? '').length;
}

const maxNameLength = 64;
const maxValueLength = 20_000;
const maxBareLength = 400;
const maxListed = 100;
