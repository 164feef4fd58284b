import {en, type Tag, type Told} from '../../../language/index.ts';
import {itemTypes, type Draft, type Item, type Message} from '../../../worker/index.ts';
import type {Decoded, Line} from '../format/decode.ts';
import type {Damage} from '../format/read-line.ts';

/**
Returns the items that a session shows: the item of each line, and a notice for each damaged line. Such a notice is not
stored, and is the same at every start.
*/
export function shownItems(decoded: Decoded): Item[] {
	const ids = new Set<string>();
	const first = decoded.lines.find(line => 'item' in line);
	let at = decoded.header.created || (first?.item.at ?? '');
	return decoded.lines.map(line => {
		const item = 'item' in line ? line.item : damageNotice(line, at, ids);
		at = item.at;
		return item;
	});
}

/** Returns the sentence of a notice about a damaged line, for the user or for the model. */
export function damageSentence(t: Tag, {line, damage, sumKnown}: DamagedLine): string {
	const sentence = t`Line ${line} of this session’s history.json ${damages[damage](t)}`;
	return sumKnown ? sentence : `${sentence} ${t`It may no longer be possible to check the line after it.`}`;
}

/**
Tells whether an item is the notice about a damaged line. Requests that were sent before the damage did not contain it.
*/
export function isDamageNotice(item: Item): boolean {
	return item.type === 'message' && item.origin?.kind === 'notice' && item.origin['about'] === 'damaged';
}

type DamagedLine = Extract<Line, {readonly damage: Damage}>;

/**
Returns the notice about an unfinished end of a history that was cut off. `lost` are the cut bytes, and `kept` is the
name of the file that contains them.
*/
export function tornNotice(lost: Buffer, kept: string | undefined): Draft<'message'> {
	return {type: 'message', role: 'system', text: tornText(lost, kept), origin: {kind: 'notice', about: 'torn'}};
}

const leftOut: Told = t => t`It is left out of the conversation and stays in the file.`;

const damages: Record<Damage, Told> = {
	unreadable: t => t`is damaged and cannot be read. ${leftOut(t)}`,
	changed: t => t`is not as it was written: it does not fit its checksum. ${leftOut(t)}`,
	misshapen: t => t`cannot be understood by this version of inkpod. ${leftOut(t)}`,
	repeated: t => t`repeats an earlier line. The copy is left out of the conversation and stays in the file.`,
	misplaced:
		t => t`is intact, but does not fit the line before it: a line is missing between them, their order was changed,
			or its checksum was changed.`,
	late: t => t`is intact, but belongs before an earlier line: their order was changed.`,
	header: t => t`is the header of the file, and is not as it was written. The conversation does not depend on it.`,
	no_header: t => t`should be the header of the file, which is missing. The conversation does not depend on it.`,
};

function damageNotice(line: DamagedLine, at: string, ids: Set<string>): Message {
	const id = `damaged-line-${line.line}`;
	const repeats = ids.has(id) ? `-${ids.size}` : '';
	ids.add(`${id}${repeats}`);
	return {
		id: `${id}${repeats}`,
		at,
		type: 'message',
		role: 'system',
		text: damageSentence(en, line),
		origin: {kind: 'notice', about: 'damaged'},
	};
}

function tornText(lost: Buffer, kept: string | undefined): string {
	if (kept === undefined)
		return en`The end of this session’s history.json was missing. If anything followed here, it is lost.`;
	const types = lostTypes(lost);
	const what = types.length === 0 ? en`its contents are unknown` : en`it would have added ${types.join(', ')}`;
	return en`The last write to this session is incomplete, for example because inkpod was killed or the disk was full:
		${what}. Its ${lost.length} bytes are not part of the conversation. They are in ${kept}.`;
}

/** Returns the types of the items that begin in the cut bytes, with their numbers. */
function lostTypes(lost: Buffer): string[] {
	const counts = new Map<string, number>();
	for (const [, type] of lost.toString('latin1').matchAll(itemStart)) {
		if (type !== undefined && itemTypes.has(type)) counts.set(type, (counts.get(type) ?? 0) + 1);
	}
	return [...counts].map(([type, count]) => `${count} ${type}`);
}

/** The start of an item as `stamp` writes it. Newlines occur only between lines. */
const itemStart = /(?:^|\n)\{"id":"[^"\\]{1,64}","at":"[^"\\]{1,64}","type":"([a-z_]{1,32})"/g;
