import {itemTypes, type Draft, type Item, type Message} from '../../worker/index.ts';
import {
	maxDamaged,
	maxLineBytes,
	type Damage,
	type Decoded,
	type Line,
	type Refusal,
	type Unreadable,
} from './decode.ts';

/**
The items that a session shows: each line's item, and in place of a damaged line a notice, which is not on disk and is
the same at every start.
*/
export function shownItems(decoded: Decoded): Item[] {
	let at = decoded.header.created;
	return decoded.lines.map(line => {
		const item = 'item' in line ? line.item : damageNotice(line, at);
		at = item.at;
		return item;
	});
}

/** What a damaged line says of itself. */
export function damageSentence(line: Extract<Line, {readonly damage: Damage}>): string {
	const chain = line.sumKnown ? '' : ' The line after it cannot be checked.';
	return `Line ${line.line} of this session’s history.json ${damages[line.damage]}. It is left out of the conversation and stays in the file.${chain}`;
}

/**
The notice that is committed where an unfinished tail was cut off. `lost` are the bytes cut off, `kept` the name of the
file that has them.
*/
export function tornNotice(lost: Buffer, kept: string | undefined): Draft<'message'> {
	return {type: 'message', role: 'system', text: tornText(lost, kept), origin: {kind: 'notice', about: 'torn'}};
}

/** Why a history.json was not read, in one sentence. */
export function refusalSentence(refusal: Refusal, path: string): string {
	return refusals[refusal.reason](path, refusal);
}

const damages: Record<Damage, string> = {
	unreadable: 'is damaged and cannot be read',
	changed: 'is not as it was written: it does not fit its checksum',
	misshapen: 'cannot be understood by this version of inkpod',
};

const maxMegabytes = maxLineBytes / 1024 / 1024;

const refusals: Record<Unreadable, (path: string, refusal: Refusal) => string> = {
	empty: path => `${path} is empty.`,
	not_history: path => `${path} does not begin like a session of inkpod. The file was not touched.`,
	long_line: (path, {line}) => `Line ${line} of ${path} is longer than ${maxMegabytes} MB. The file was not touched.`,
	too_damaged: path => `More than ${maxDamaged} lines of ${path} are damaged. The file was not touched.`,
	long_tail: path => `${path} ends in more than ${maxMegabytes} MB that are no item. The file was not touched.`,
	newer_format: path =>
		`${path} was written by a newer inkpod, in a format that this version does not know. The file was not touched.`,
	unknown_type: (path, {line, type}) =>
		`Line ${line} of ${path} is of the type ${JSON.stringify(type?.slice(0, 40))}, which this version does not know: it was written by a newer inkpod. The file was not touched.`,
};

function damageNotice(line: Extract<Line, {readonly damage: Damage}>, at: string): Message {
	return {
		id: `damaged-line-${line.line}`,
		at,
		type: 'message',
		role: 'system',
		text: damageSentence(line),
		origin: {kind: 'notice', about: 'damaged'},
	};
}

function tornText(lost: Buffer, kept: string | undefined): string {
	if (kept === undefined)
		return 'The end of this session’s history.json was missing. If anything followed here, it is lost.';
	const types = lostTypes(lost);
	const what = types.length === 0 ? 'what it held cannot be told' : `it was to add ${types.join(', ')}`;
	return `The last write to this session was cut short, as when the program is killed or the disk is full: ${what}. This is not part of the conversation. Its ${lost.length} bytes are kept in ${kept}.`;
}

/** The types of the items that begin in a torn tail, with their counts. */
function lostTypes(lost: Buffer): string[] {
	const counts = new Map<string, number>();
	for (const [, type] of lost.toString('latin1').matchAll(itemStart)) {
		if (type !== undefined && itemTypes.has(type)) counts.set(type, (counts.get(type) ?? 0) + 1);
	}
	return [...counts].map(([type, count]) => `${count} ${type}`);
}

/** As `stamp` writes an item. Newlines stand only between lines. */
const itemStart = /(?:^|\n)\{"id":"[^"\\]{1,64}","at":"[^"\\]{1,64}","type":"([a-z_]{1,32})"/g;
