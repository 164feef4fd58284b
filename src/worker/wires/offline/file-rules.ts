import type {Intent} from './intent.ts';
import {fileKinds, firstGroups, group, pattern, searchMarker, type Groups} from './patterns.ts';
import {pathOf, targetsIn, unquoted} from './targets.ts';

const listings: readonly RegExp[] = [
	/^(?:ls|dir|tree)(?:\s+(?<where>\S+))?$/i,
	pattern(
		String.raw`\b(?:list|show|what|which|see|display|find|get|give|are\s+there|print|how\s+many|count)`,
		String.raw`\b(?<of>.*?)\b(?:files?|folders?|director(?:y|ies)|project\s+structure|file\s+tree)\b`,
		String.raw`(?<rest>.*)$`,
	),
	pattern(
		String.raw`\bwhat(?:'s|\s+is|\s+do\s+(?:we|you|i)\s+have)\s+(?:in\s+)?`,
		String.raw`(?:here|(?:in|inside)\s+(?<where>.+)|`,
		String.raw`this\s+(?:project|folder|directory|repo(?:sitory)?))$`,
	),
	/\b(?:find|glob)\s+(?:me\s+)?(?:all\s+)?(?<where>\S*\*\S*)$/i,
	pattern(
		String.raw`\b(?:list|show)\s+(?:me\s+)?(?:everything|what\s+is\s+here|`,
		String.raw`(?<where>\S*[*/]\S*|src|docs|test|tests|lib))$`,
	),
];

const contentSearch = pattern(
	String.raw`\bfiles?\s+(?:(?:that\s+)?(?:contain|mention|use|import|reference|call)|`,
	String.raw`with\s+(?!the\s+extension))`,
);

export function listFiles(clause: string): Intent | undefined {
	const bare = clause.replace(/[.!?]+$/, '');
	if (searchMarker.test(bare) || contentSearch.test(bare)) return undefined;
	const groups = firstGroups(listings, bare);
	if (groups === undefined || namesOneFile(groups)) return undefined;
	const of = group(groups, 'of');
	const rest = group(groups, 'rest');
	const name = /^\s+(?:called|named|like)\s+(?<name>\S+)/i.exec(rest)?.groups?.['name'];
	if (name !== undefined) return {kind: 'list', pattern: `**/${unquoted(name)}`};
	const star = /\S*\*\S*/.exec(groups['where'] ?? `${of} ${rest}`)?.[0];
	if (star !== undefined) return {kind: 'list', pattern: inAnyFolder(unquoted(star))};
	const path = folderIn(groups);
	return {kind: 'list', pattern: kindIn(of) ?? '**/*', ...(path === undefined ? {} : {path})};
}

/** Tells whether the request names one file. Then it asks for the contents of that file, and not for a list. */
function namesOneFile(groups: Groups): boolean {
	const isOne = ({path}: {readonly path: string}) => !path.includes('*');
	const hasExtension = ({path}: {readonly path: string}) => /\.\p{L}[\p{L}\p{N}]*$/u.test(path);
	return (
		targetsIn(group(groups, 'of')).some(isOne) ||
		targetsIn(group(groups, 'where')).some(target => isOne(target) && hasExtension(target))
	);
}

function kindIn(text: string): string | undefined {
	const words = text.trim().split(/\s+/);
	return words.map(word => fileKinds.get(word.toLowerCase().replace(/^\./, ''))).find(glob => glob !== undefined);
}

const folderAfter = pattern(
	String.raw`\b(?:in|inside|under|below|of|from)\s+(?:the\s+|my\s+|this\s+)?`,
	String.raw`(?:(?:folder|directory)\s+)?(?<place>\S+)`,
);
const folderBefore = /\b(?:in|inside|under)\s+(?:(?:the|my)\s+)?(?<place>\S+)\s*$/i;
const workingDirectory = pattern(
	'^(?:here|this|the|my|it|project|folder|directory|repo(?:sitory)?|workspace|current|all)$',
);

function folderIn(groups: Groups): string | undefined {
	const place =
		groups['where'] ??
		folderAfter.exec(group(groups, 'rest'))?.groups?.['place'] ??
		folderBefore.exec(group(groups, 'of'))?.groups?.['place'];
	const path = place === undefined ? '' : pathOf(place.replace(/^(?:the|this)\s+/i, ''));
	if (path === '' || workingDirectory.test(path)) return undefined;
	return path.replace(/(?<=.)\/$/, '').replace(/\s+(?:folder|directory)$/i, '');
}

function inAnyFolder(glob: string): string {
	return glob.includes('/') ? glob : `**/${glob}`;
}

const reading = pattern(
	String.raw`\b(?:read|show|open|cat|print|display|view|look|see|check|inspect|examine|head|explain|`,
	String.raw`summari[sz]e|describe|outline|understand|review|analy[sz]e|what|how|tell|about|`,
	String.raw`go\s+through|walk|compare|why|does|lines)\b`,
);

export function readFiles(clause: string): Intent | undefined {
	const targets = targetsIn(clause);
	const [only, second] = targets;
	if (only === undefined || !(reading.test(clause) || /^@?\S+$/.test(clause))) return undefined;
	if (second === undefined && only.path.endsWith('/'))
		return {kind: 'list', pattern: '**/*', path: only.path.slice(0, -1) || '/'};
	return {kind: 'read', targets};
}
