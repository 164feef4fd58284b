import {escaped, looksLikePath, patternOf, quotedText, targetsIn, unquoted, type Target} from './targets.ts';

/** What a person wants done, as far as rules can tell. */
export type Intent =
	| {readonly kind: 'list'; readonly pattern: string; readonly path?: string}
	| {
			readonly kind: 'search';
			readonly pattern: string;
			readonly path?: string;
			readonly glob?: string;
			readonly output: 'content' | 'files' | 'count';
	  }
	| {readonly kind: 'read'; readonly targets: readonly Target[]}
	| {readonly kind: 'replace'; readonly old: string; readonly new: string; readonly path: string}
	| {readonly kind: 'write'; readonly path: string; readonly content: string}
	| {readonly kind: 'run'; readonly command: string};

/** The wishes of a message in their order. None where no rule fits. */
export function intentsOf(ask: string): readonly Intent[] {
	const words = ask.slice(0, maxChars).replaceAll(/\[unresolved file ref: [^\]\n]*\]/g, ' ');
	return clausesOf(words).flatMap(clause => {
		for (const rule of rules) {
			const intent = rule(clause);
			if (intent !== undefined) return [intent];
		}
		return [];
	});
}

/** Rules look at a message's beginning only: a long paste is no request. */
const maxChars = 2000;
const maxClause = 400;

const verbs =
	'list|find|search|grep|look|read|show|open|print|display|run|execute|replace|change|rename|count|write|create|explain|summari[sz]e|describe';

/** Parts at which a sentence turns to something else. Quoted text is not looked into. */
function clausesOf(text: string): readonly string[] {
	const quotes: string[] = [];
	const hidden = text.replaceAll(new RegExp(quotedText, 'g'), quote => `\uE000${quotes.push(quote) - 1}\uE001`);
	const parts = hidden.split(
		new RegExp(
			String.raw`(?:[,;]?\s+(?:and\s+)?then\b,?|;|\n|[.!?](?=\s|$)|[,;]?\s+and(?=\s+(?:${verbs})\b)|(?<!\bin\s+\S{1,200}),(?=\s+(?:${verbs})\b))`,
			'i',
		),
	);
	return parts
		.map(part =>
			part
				.replaceAll(/\uE000(\d+)\uE001/g, (_, index: string) => quotes[Number(index)]!)
				.trim()
				.slice(0, maxClause),
		)
		.filter(part => part !== '');
}

type Rule = (clause: string) => Intent | undefined;

const rules: readonly Rule[] = [replaceIn, writeTo, runCommand, listFiles, searchFor, readFiles];

const subject = String.raw`(?:all\s+|every\s+|each\s+)?(?:(?:occurrences?|instances?|uses?)\s+of\s+)?(?:the\s+)?(?:(?:word|text|string|name|function|variable|class|type)\s+)?`;
const file = String.raw`(?:the\s+)?(?:file\s+)?(?<path>@?(?:${quotedText}|[^\s,"'\u0060]+))`;
const swap = String.raw`\b(?:replace|change|swap|substitute|rename)\s+${subject}(?<old>${quotedText}|.+?)\s+(?:by|with|to|into|for)\s+(?:the\s+(?:word|text|string)\s+)?`;
const replacements: readonly RegExp[] = [
	new RegExp(String.raw`${swap}(?<new>${quotedText}|.+?)\s+(?:in|inside|within|of)\s+${file}`, 'i'),
	new RegExp(String.raw`\bin\s+${file}\s*,?\s+${swap}(?<new>${quotedText}|.+)$`, 'i'),
];

function replaceIn(clause: string): Intent | undefined {
	const groups = firstGroups(replacements, clause);
	if (groups === undefined) return undefined;
	return {
		kind: 'replace',
		old: unquoted(groups['old']!),
		new: unquoted(groups['new']!),
		path: pathOf(groups['path']!),
	};
}

const writings: readonly RegExp[] = [
	new RegExp(String.raw`\bwrite\s+(?<content>${quotedText})\s+(?:to|into|in)\s+${file}`, 'i'),
	new RegExp(
		String.raw`\b(?:create|write|make|add)\s+(?:an?\s+)?(?:new\s+)?${file}\s+(?:with|containing|saying|that\s+says)\s+(?:the\s+)?(?:(?:content|text|line|words?)\s+)?(?<content>${quotedText}|.+)$`,
		'i',
	),
];

function writeTo(clause: string): Intent | undefined {
	const groups = firstGroups(writings, clause.replace(/\bfile\s+(?:called|named)\s+/i, 'file '));
	if (groups === undefined || !looksLikePath(pathOf(groups['path']!))) return undefined;
	return {kind: 'write', path: pathOf(groups['path']!), content: `${unquoted(groups['content']!)}\n`};
}

function runCommand(clause: string): Intent | undefined {
	const said =
		/(?:^|\b(?:please|you|now|then|and|just|to|let's|also|first|me)[,\s]+)(?:run|execute|start)\s+(?:the\s+)?(?:shell\s+)?(?:command\s+)?(?<rest>.+)$/i.exec(
			clause,
		)?.groups?.['rest'];
	if (said === undefined) return undefined;
	const quoted = new RegExp(`^(?:${quotedText})`).exec(said)?.[0] ?? /`[^`]+`/.exec(said)?.[0];
	const bare = said
		.replace(
			/(?:,?\s+(?:please|for me|and (?:tell|show|report|see|let|give)\b.*|to see\b.*|so (?:that|i)\b.*))+$/i,
			'',
		)
		.replace(/[.!?]+$/, '')
		.trim();
	const command =
		quoted === undefined ? (namedCommands.find(([name]) => name.test(bare))?.[1] ?? bare) : unquoted(quoted);
	return /^(?:it|this|that|in|on|into|out|away|a|an|the|some|my|your)\b/i.test(command)
		? undefined
		: {kind: 'run', command};
}

const namedCommands: ReadonlyArray<readonly [RegExp, string]> = [
	[/^(?:all\s+)?(?:the\s+|my\s+)?(?:unit\s+)?tests?(?:\s+suite)?$/i, 'npm test'],
	[/^(?:the\s+)?build$/i, 'npm run build'],
	[/^(?:the\s+)?lint(?:er)?$/i, 'npm run lint'],
];

const searches: ReadonlyArray<{
	readonly pattern: RegExp;
	readonly output?: 'files' | 'count';
	readonly marked?: true;
	readonly regex?: true;
}> = [
	{
		pattern:
			/\b(?:which|what)\s+files?\s+(?:contains?|mentions?|uses?|ha(?:ve|s)|imports?|references?|calls?)\s+(?<what>.+)$/i,
		output: 'files',
	},
	{
		pattern:
			/\bhow\s+(?:many|often)\s+(?:times\s+)?(?<what>.+?)(?:\s+(?:are|is|do|does|exist|appear|occur)\b.*?(?<place>\s+in\s+.+)?)?$/i,
		output: 'count',
	},
	{pattern: /\bcount\s+(?<what>.+)$/i, output: 'count'},
	{
		pattern:
			/\b(?:search|grep|look|scan|hunt)\s+(?:(?:through\s+|in\s+)?(?:the\s+|this\s+|my\s+|all\s+)*(?:code|codebase|project|repo(?:sitory)?|files?|folder|directory)\s+)?for\s+(?<what>.+)$/i,
	},
	{pattern: /\b(?:search|look)\s+(?:in\s+|through\s+)?(?<where>\S+)\s+for\s+(?<what>.+)$/i},
	{pattern: /\bgrep\s+(?:-\w+\s+)*(?<what>.+)$/i, regex: true},
	{pattern: /\b(?:find|locate)\s+(?:me\s+)?(?<what>.+)$/i},
	{
		pattern:
			/\bwhere\s+(?:is|are|do(?:es)?\s+\w+\s+(?:use|call|define|import))\s+(?<what>.+?)(?:\s+(?:used|defined|declared|called|imported|mentioned|set))?$/i,
	},
	{
		pattern:
			/\b(?:list|show|get|give|collect|display|print|are\s+there|is\s+there|see|what|which)\s+(?:me\s+)?(?<what>.+)$/i,
		marked: true,
	},
];

/** What turns a weak verb ("show me ...") into a search. */
const marker =
	/\b(?:todos?|fixmes?|hacks?|xxx|occurrences?|usages?|uses|references?|mentions?|matches|calls\s+to|lines\s+(?:with|containing|that))\b/i;

function searchFor(clause: string): Intent | undefined {
	for (const {pattern, output = 'content', marked, regex} of searches) {
		const groups = pattern.exec(clause)?.groups;
		if (groups === undefined || (marked && !marker.test(groups['what']!))) continue;
		const {what, ...place} = placed(`${groups['what']}${groups['place'] ?? ''}`);
		const {term, literal} = termOf(what);
		if (term === '') continue;
		if (output === 'content' && !marked && looksLikePath(term) && targetsIn(term).length > 0)
			return {kind: 'list', pattern: term.includes('/') ? term : `**/${term}`};
		return {
			kind: 'search',
			pattern: regex ? term : literal ? escaped(term) : patternOf(term),
			...place,
			...(groups['where'] === undefined ? {} : {path: pathOf(groups['where'])}),
			output,
		};
	}
	return undefined;
}

/** Parts "TODO in src/*.ts" into what is sought and where. */
function placed(text: string): {readonly what: string; readonly path?: string; readonly glob?: string} {
	const quoted = new RegExp(`^(?:${quotedText})`).test(text);
	const match = new RegExp(
		String.raw`^(?<what>${quoted ? quotedText : '.+?'})\s+(?:in|inside|within|under|across|from|throughout)\s+(?:all\s+)?(?:the\s+|my\s+|our\s+|this\s+)?(?:(?:folder|directory|file|files)\s+)?(?<where>${quotedText}|\S+)(?<rest>(?:\s+\S+){0,2})?.*$`,
		'i',
	).exec(text);
	if (match === null) return {what: text};
	const {what, where, rest = ''} = match.groups as {what: string; where: string; rest?: string};
	const place = pathOf(where);
	const isKind = /^\s+files?\b/i.test(rest) && kinds[place.toLowerCase()] !== undefined;
	if (isKind) return {what, glob: kinds[place.toLowerCase()]!};
	if (place.includes('*')) return {what, glob: place};
	if (
		looksLikePath(place) ||
		/^\s+(?:folder|directory)\b/i.test(rest) ||
		/^(?:src|lib|test|tests|docs|app|bin|scripts|packages|examples)$/.test(place)
	)
		return {what, path: place.replace(/(?<=.)\/$/, '')};
	return /^(?:code(?:base)?|project|repo(?:sitory)?|everything|files?|it|here|tree|workspace)$/i.test(place)
		? {what}
		: {what: text};
}

/** The bare term: without "all the ... comments, please". A quoted one is meant to the letter. */
function termOf(text: string): {readonly term: string; readonly literal: boolean} {
	const quoted = new RegExp(quotedText).exec(text)?.[0];
	if (quoted !== undefined) return {term: unquoted(quoted), literal: true};
	let term = text.trim();
	for (let before = ''; before !== term;) {
		before = term;
		term = term
			.replace(
				/^(?:all|every|any|each|the|me|a|an|some|of|for|my|our|words?|strings?|text|comments?|with|containing|that|say|says|lines?|places?|where|we|i|use|uses|usages?|calls?|references?|occurrences?|mentions?|instances?|function|class|variable|symbol|to|there|still|left|open|do)\s+/i,
				'',
			)
			.replace(
				/(?:^|[\s,]+)(?:comments?|markers?|notes?|items?|entries|lines?|calls?|usages?|matches|anywhere|everywhere|here|please|for me|thanks|there|left|now|so (?:that|i)\b.*|and (?:tell|show|report|list|count|let|give)\b.*|because\b.*)$/i,
				'',
			)
			.replace(/[.,;:!?]+$/, '')
			.trim();
	}
	return {
		term: term
			.replaceAll(/\b(TODO|FIXME|HACK)s\b/gi, '$1')
			.replaceAll(/\b(?:todo|fixme)\b/gi, word => word.toUpperCase()),
		literal: false,
	};
}

const kinds: Readonly<Record<string, string>> = {
	typescript: '**/*.{ts,tsx}',
	ts: '**/*.ts',
	tsx: '**/*.tsx',
	javascript: '**/*.{js,jsx,mjs,cjs}',
	js: '**/*.js',
	python: '**/*.py',
	markdown: '**/*.md',
	md: '**/*.md',
	json: '**/*.json',
	yaml: '**/*.{yml,yaml}',
	toml: '**/*.toml',
	rust: '**/*.rs',
	go: '**/*.go',
	css: '**/*.css',
	html: '**/*.html',
	shell: '**/*.sh',
	test: '**/*{test,spec}*',
	source: 'src/**/*',
	hidden: '**/.*',
};

const listings: readonly RegExp[] = [
	/^(?:ls|dir|tree)(?:\s+(?<where>\S+))?$/i,
	/\b(?:list|show|what|which|see|display|find|get|give|are\s+there|print|how\s+many|count)\b(?<of>.*?)\b(?:files?|folders?|director(?:y|ies)|project\s+structure|file\s+tree)\b(?<rest>.*)$/i,
	/\bwhat(?:'s|\s+is|\s+do\s+(?:we|you|i)\s+have)\s+(?:in\s+)?(?:here|(?:in|inside)\s+(?<where>.+)|this\s+(?:project|folder|directory|repo(?:sitory)?))$/i,
	/\b(?:find|glob)\s+(?:me\s+)?(?:all\s+)?(?<where>\S*\*\S*)$/i,
	/\b(?:list|show)\s+(?:me\s+)?(?:everything|what\s+is\s+here|(?<where>\S*[*/]\S*|src|docs|test|tests|lib))$/i,
];

function listFiles(clause: string): Intent | undefined {
	const bare = clause.replace(/[.!?]+$/, '');
	if (
		marker.test(bare) ||
		/\bfiles?\s+(?:(?:that\s+)?(?:contain|mention|use|import|reference|call)|with\s+(?!the\s+extension))/i.test(
			bare,
		)
	)
		return undefined;
	const groups = firstGroups(listings, bare);
	if (groups === undefined) return undefined;
	const {where, of = '', rest = ''} = groups;
	// What is in a file is read, not listed.
	if (
		targetsIn(of).some(({path}) => !path.includes('*')) ||
		targetsIn(where ?? '').some(({path}) => /\.\p{L}[\p{L}\p{N}]*$/u.test(path) && !path.includes('*'))
	)
		return undefined;
	const named = /^\s+(?:called|named|like)\s+(?<name>\S+)/i.exec(rest)?.groups?.['name'];
	if (named !== undefined) return {kind: 'list', pattern: `**/${unquoted(named)}`};
	const star = /\S*\*\S*/.exec(where ?? `${of} ${rest}`)?.[0];
	if (star !== undefined) return {kind: 'list', pattern: deep(unquoted(star))};
	const kind = of
		.trim()
		.split(/\s+/)
		.map(word => kinds[word.toLowerCase().replace(/^\./, '')])
		.find(glob => glob !== undefined);
	const place =
		where ??
		/\b(?:in|inside|under|below|of|from)\s+(?:the\s+|my\s+|this\s+)?(?:(?:folder|directory)\s+)?(?<place>\S+)/i.exec(
			rest,
		)?.groups?.['place'] ??
		/\b(?:in|inside|under)\s+(?:(?:the|my)\s+)?(?<place>\S+)\s*$/i.exec(of)?.groups?.['place'];
	const path = place === undefined ? '' : pathOf(place.replace(/^(?:the|this)\s+/i, ''));
	const isPlace =
		path !== '' &&
		!/^(?:here|this|the|my|it|project|folder|directory|repo(?:sitory)?|workspace|current|all)$/i.test(path);
	return {
		kind: 'list',
		pattern: kind ?? '**/*',
		...(isPlace ? {path: path.replace(/(?<=.)\/$/, '').replace(/\s+(?:folder|directory)$/i, '')} : {}),
	};
}

function deep(glob: string): string {
	return glob.includes('/') ? glob : `**/${glob}`;
}

const reading =
	/\b(?:read|show|open|cat|print|display|view|look|see|check|inspect|examine|head|explain|summari[sz]e|describe|outline|understand|review|analy[sz]e|what|how|tell|about|go\s+through|walk|compare|why|does|lines)\b/i;

function readFiles(clause: string): Intent | undefined {
	const targets = targetsIn(clause);
	if (targets.length === 0 || !(reading.test(clause) || /^@?\S+$/.test(clause))) return undefined;
	const [only] = targets;
	if (targets.length === 1 && only!.path.endsWith('/'))
		return {kind: 'list', pattern: '**/*', path: only!.path.slice(0, -1) || '/'};
	return {kind: 'read', targets};
}

function pathOf(word: string): string {
	return unquoted(word.replace(/^@/, ''));
}

function firstGroups(
	patterns: readonly RegExp[],
	text: string,
): Readonly<Record<string, string | undefined>> | undefined {
	for (const pattern of patterns) {
		const match = pattern.exec(text);
		if (match !== null) return match.groups ?? {};
	}
	return undefined;
}
