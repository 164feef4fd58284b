import {wordsOf, type NameClass} from './secret-names.ts';

/**
How a value is written. `quoted`: in quotes. `assigned`: right after a `=`, as in an environment. `option`: right
after the `=` of an option. `bare`: in any other way, such as in a program or in a sentence.
*/
export type ValueStyle = 'quoted' | 'assigned' | 'option' | 'bare';

type Written = {
	readonly name: string;
	readonly kind: NameClass;
	readonly style: ValueStyle;
	/** Whether the value ends its line. */
	readonly endsLine: boolean;
};

/**
Tells whether a value after a secret's name is not a secret, but a placeholder, a reference to a secret, a type or a
sentence.
*/
export function isPlainValue(value: string, {name, kind, style, endsLine}: Written): boolean {
	const bare = value.trim();
	if (/^[\^~<>=v]{0,2}\d{1,5}(?:\.\d{1,5}){1,3}(?:[-+][\w.]{1,40})?$/.test(bare)) return true;
	if (/^-?\d[\d_]*(?:\.\d+)?$/.test(bare)) return bare.length < leastDigits(kind, name);
	if (bare.length < leastLength(kind, style) || placeholder.test(bare) || reference.test(bare)) return true;
	if (plainWords.has(bare.toLowerCase()) || isPath(bare) || /^https?:\/\/[^@]*$/i.test(bare)) return true;
	if (kind === 'key') return !looksRandom(bare) || isHexHash(bare);
	// Apple makes such passwords for programs.
	if (/^[a-z]{4}(?:-[a-z]{4}){3}$/.test(bare)) return kind === 'token';
	if (style === 'option') return isCode(bare, name) || (kind === 'token' && isWord(bare));
	if (style === 'quoted') return isSentence(bare) || (kind === 'token' && (isWord(bare) || /^\D*\s\D*$/.test(bare)));
	if (style === 'assigned' && /[A-Z]/.test(name) && !/[a-z]/.test(name)) return kind === 'token' && isWord(bare);
	return (
		isCode(bare, name) ||
		(isLetters(bare) && (kind === 'token' || !endsLine || isCapitalised(bare) || sentenceWords.has(bare)))
	);
}

/** Tells whether a value looks random, and not written by a person. */
export function looksRandom(value: string): boolean {
	if (!/^[\w.~+/=:@$!%&*#^-]{16,}$/.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
	if (isPath(value) || isIdentifier(value)) return false;
	return entropy(value.slice(0, 200)) >= 3;
}

/** Tells whether a value has at least six characters, with letters and digits, and is not a name in a program. */
export function looksChosen(value: string): boolean {
	if (looksRandom(value)) return true;
	if (/^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/.test(value)) return false;
	return value.length >= 6 && /[A-Za-z]/.test(value) && /\d/.test(value) && !/[()[\]{}\s]/.test(value);
}

/** Returns the entropy of a value in bits per character. */
function entropy(value: string): number {
	const counts = new Map<string, number>();
	for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
	let bits = 0;
	for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
	return bits;
}

function leastDigits(kind: NameClass, name: string): number {
	if (wordsOf(name).some(word => word === 'pin' || word === 'otp' || word === 'passcode')) return 4;
	return kind === 'password' ? 6 : 12;
}

function leastLength(kind: NameClass, style: ValueStyle): number {
	if (kind === 'token') return 8;
	return style === 'bare' ? 5 : 4;
}

/**
Placeholders: `<token>`, `***`, `{{ var }}`, `%VAR%`, `your-key`, `xxxx`, `...`, and the marks of an earlier redaction.
*/
const placeholder = new RegExp(
	[
		String.raw`<[^<>]{0,200}>|<[a-z_-]{1,40}`,
		String.raw`\[redacted\b.{0,100}|\[[a-z _:.-]{0,100}\]|\{[a-z _.-]{0,100}\}|\([a-z _.-]{0,100}\)`,
		String.raw`\{\{.{0,200}|%[a-z_]\w{0,100}%|[*•.…_#-]{1,200}|x{1,200}`,
		'(?:your|insert|enter|put|add|replace)[-_ ][a-z _.-]{0,100}',
		'(?:[a-z]{1,20}[-_ ]){0,4}(?:change[-_]?me|placeholder|redacted|example)(?:[-_ ][a-z]{1,20}){0,4}',
	]
		.map(form => `^(?:${form})$`)
		.join('|'),
	'i',
);

/** A reference to a value that is stored elsewhere. */
const reference = new RegExp(
	[
		String.raw`\$[A-Z_][A-Z0-9_]{0,100}|\$[a-z_]{1,60}|\$env:\w{1,100}|\$[({].{0,500}|\`.{0,500}`,
		String.raw`op://.{1,300}|vault:.{1,300}|ref\+.{1,300}|arn:aws.{1,300}|env:[A-Z_\d]{1,100}|(?:file|ssm):[/.].{1,300}`,
		String.raw`!(?:Ref|Sub|GetAtt|ImportValue|secret|env_var|env|ENV)\b.{0,300}|\$ANSIBLE_VAULT;.{0,100}`,
		String.raw`ENC\[.{0,4000}|@Microsoft\.KeyVault.{0,300}`,
	]
		.map(form => `^(?:${form})$`)
		.join('|'),
);

/** The start of an expression. */
const expression = new RegExp(
	[
		String.raw`^(?:process\.env|import\.meta\.env|os\.environ|ENV|env|secrets|vars|config|settings|options)\b[.[(]`,
		String.raw`^(?:props|args|params|this|self|ctx|req|request)\b[.[(]`,
		String.raw`^(?:await|new|async|function|typeof|keyof|readonly|lambda|null|undefined|not|if)(?:\s|$)`,
		String.raw`^[bfru]?["'\`]`,
	].join('|'),
);

/** Words that are types, switches or empty values. */
const plainWords: ReadonlySet<string> = new Set([
	...[
		'true',
		'false',
		'null',
		'none',
		'undefined',
		'nil',
		'empty',
		'yes',
		'required',
		'optional',
		'string',
		'number',
	],
	...[
		'boolean',
		'bool',
		'bytes',
		'buffer',
		'object',
		'unknown',
		'never',
		'char',
		'varchar',
		'text',
		'integer',
		'array',
	],
	...[
		'symbol',
		'secretstr',
		'securestring',
		'password',
		'passwd',
		'secret',
		'token',
		'hidden',
		'masked',
		'default',
		'auto',
	],
	...[
		'basic',
		'bearer',
		'digest',
		'disabled',
		'enabled',
		'missing',
		'invalid',
		'denied',
		'allowed',
		'always',
		'never',
	],
	...[
		'prompt',
		'stdin',
		'include',
		'omit',
		'same-origin',
		'asyncmock',
		'mock',
		'optional[str]',
		'publickey',
		'plain',
	],
]);

function isPath(value: string): boolean {
	return (
		/^(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@ -]{1,100}(?:[/\\][\w.@ {}$-]{0,100}){1,30}$/.test(value) &&
		value.split(/[/\\]/).every(part => part.length < 24 || isIdentifier(part))
	);
}

/** Tells whether a value is a name in a program, or several names: words with short numbers. */
function isIdentifier(value: string): boolean {
	return (
		/^[\w./: -]+$/.test(value) &&
		value
			.split(/[-_./: ]|(?<=[a-z\d])(?=[A-Z])/)
			.every(part => /^(?:[A-Za-z]?[a-z]{1,20}|[A-Z]{2,20})?\d{0,4}$/.test(part))
	);
}

function isHexHash(value: string): boolean {
	return /^(?:sha\d{1,3}[-:])?[0-9a-f]{16,128}$/.test(value) || /^sha(?:1|256|384|512)-[\w+/=]{20,100}$/.test(value);
}

function isWord(value: string): boolean {
	return value.length < 24 && /^[A-Za-z][A-Za-z_. /:-]*$/.test(value) && isIdentifier(value);
}

function isLetters(value: string): boolean {
	return /^[A-Za-z_$][A-Za-z_$?!-]*$/.test(value);
}

function isCapitalised(value: string): boolean {
	return /^[A-Z]/.test(value) || /[a-z][A-Z]/.test(value);
}

/** Tells whether a value consists of several words, and one of them is a usual word of sentences. */
function isSentence(value: string): boolean {
	const words = value.toLowerCase().split(/\s+/);
	return words.length > 1 && words.some(word => sentenceWords.has(word.replaceAll(/[^a-z]/g, '')));
}

const sentenceWords: ReadonlySet<string> = new Set([
	...[
		'the',
		'a',
		'an',
		'is',
		'are',
		'was',
		'your',
		'must',
		'be',
		'of',
		'to',
		'for',
		'and',
		'or',
		'with',
		'not',
		'this',
	],
	...['that', 'at', 'in', 'on', 'by', 'from', 'if', 'it', 'you', 'no', 'enter', 'please', 'password', 'token', 'key'],
	...['secret', 'required', 'invalid', 'should', 'can', 'has', 'have', 'as', 'api'],
]);

/**
Tells whether a value is code: a call, a member of an object, an index, an arrow function, or a variable with the same
name.
*/
function isCode(value: string, name: string): boolean {
	if (expression.test(value) || /^[([{]{1,3}\\{0,8}["'`]/.test(value)) return true;
	const bare = value.replace(/^[!~&*[({-]{1,3}/, '');
	const head = bare.replace(/[()[\]{}<].*$/s, '');
	const isMember = /^[A-Za-z_$][\w$]*(?:(?:\?\.|!?\.|::|->)[A-Za-z_$][\w$]*)*(?:\?\.|[?!])?$/.test(head);
	if (isMember && !/\d/.test(head) && (head.length < bare.length || /[.:>]/.test(head))) return true;
	if (/^[\w.]{1,20}`/.test(value) || /^\/.{1,400}\/[a-z]{0,4}[,;]?$/.test(value)) return true;
	if (/^[([{!&|?:=<>,;/'"`]/.test(value) && !(/\d/.test(value) && /[A-Za-z]/.test(value))) return true;
	return isLetters(value) && wordsOf(value).some(word => wordsOf(name).includes(word));
}
