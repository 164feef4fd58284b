import type {Intent} from './intent.ts';
import {firstGroups, group, pattern, quotedText} from './patterns.ts';
import {looksLikePath, pathOf, unquoted} from './targets.ts';

const subject = [
	String.raw`(?:all\s+|every\s+|each\s+)?(?:(?:occurrences?|instances?|uses?)\s+of\s+)?(?:the\s+)?`,
	String.raw`(?:(?:word|text|string|name|function|variable|class|type)\s+)?`,
].join('');
const file = String.raw`(?:the\s+)?(?:file\s+)?(?<path>@?(?:${quotedText}|[^\s,"'\u0060]+))`;
const swap = [
	String.raw`\b(?:replace|change|swap|substitute|rename)\s+${subject}(?<old>${quotedText}|.+?)\s+`,
	String.raw`(?:by|with|to|into|for)\s+(?:the\s+(?:word|text|string)\s+)?`,
].join('');
const replacements: readonly RegExp[] = [
	pattern(String.raw`${swap}(?<new>${quotedText}|.+?)\s+(?:in|inside|within|of)\s+${file}`),
	pattern(String.raw`\bin\s+${file}\s*,?\s+${swap}(?<new>${quotedText}|.+)$`),
];

export function replaceIn(clause: string): Intent | undefined {
	const groups = firstGroups(replacements, clause);
	if (groups === undefined) return undefined;
	const [old, fresh] = [unquoted(group(groups, 'old')), unquoted(group(groups, 'new'))];
	return {kind: 'replace', old, new: fresh, path: pathOf(group(groups, 'path'))};
}

const writings: readonly RegExp[] = [
	pattern(String.raw`\bwrite\s+(?<content>${quotedText})\s+(?:to|into|in)\s+${file}`),
	pattern(
		String.raw`\b(?:create|write|make|add)\s+(?:an?\s+)?(?:new\s+)?${file}\s+`,
		String.raw`(?:with|containing|saying|that\s+says)\s+(?:the\s+)?(?:(?:content|text|line|words?)\s+)?`,
		String.raw`(?<content>${quotedText}|.+)$`,
	),
];

export function writeTo(clause: string): Intent | undefined {
	const groups = firstGroups(writings, clause.replace(/\bfile\s+(?:called|named)\s+/i, 'file '));
	const path = groups === undefined ? '' : pathOf(group(groups, 'path'));
	if (groups === undefined || !looksLikePath(path)) return undefined;
	return {kind: 'write', path, content: `${unquoted(group(groups, 'content'))}\n`};
}

const running = pattern(
	String.raw`(?:^|\b(?:please|you|now|then|and|just|to|let's|also|first|me)[,\s]+)`,
	String.raw`(?:run|execute|start)\s+(?:the\s+)?(?:shell\s+)?(?:command\s+)?(?<rest>.+)$`,
);
const purpose = pattern(
	String.raw`(?:,?\s+(?:please|for me|and (?:tell|show|report|see|let|give)\b.*|to see\b.*|`,
	String.raw`so (?:that|i)\b.*))+$`,
);
const notACommand = /^(?:it|this|that|in|on|into|out|away|a|an|the|some|my|your)\b/i;

export function runCommand(clause: string): Intent | undefined {
	const rest = running.exec(clause)?.groups?.['rest'];
	if (rest === undefined) return undefined;
	const quoted = new RegExp(`^(?:${quotedText})`).exec(rest)?.[0] ?? /`[^`]+`/.exec(rest)?.[0];
	const bare = rest
		.replace(purpose, '')
		.replace(/[.!?]+$/, '')
		.trim();
	const command = quoted === undefined ? (commandNamed(bare) ?? bare) : unquoted(quoted);
	return notACommand.test(command) ? undefined : {kind: 'run', command};
}

function commandNamed(name: string): string | undefined {
	return namedCommands.find(([names]) => names.test(name))?.[1];
}

const namedCommands: ReadonlyArray<readonly [RegExp, string]> = [
	[/^(?:all\s+)?(?:the\s+|my\s+)?(?:unit\s+)?tests?(?:\s+suite)?$/i, 'npm test'],
	[/^(?:the\s+)?build$/i, 'npm run build'],
	[/^(?:the\s+)?lint(?:er)?$/i, 'npm run lint'],
];
