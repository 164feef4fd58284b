import {t} from '../../../language/index.ts';
import {type Clock, type Item, hasHalves, liveItems, withWholeCharacters} from '../../../worker/index.ts';
import {closingResults} from '../../ground/history/reader.ts';
import {damageSentence} from '../log/notices.ts';
import type {RawLines} from '../log/raw-lines.ts';
import {repairTexts, verifyTexts} from '../texts.ts';
import {elementAt} from '../../ground/values/element-at.ts';
import type {Line} from '../format/decode.ts';
import {strayResults} from './verify.ts';
import {strayEnds} from './verify-pairs.ts';

type Lines = Extract<RawLines, {readonly ok: true}>;

/** Returns the items of an intact copy of these lines, and sentences about what differs. `id` is the session's id. */
export function intactCopy(
	read: Lines,
	id: string,
	clock: Clock,
): {readonly items: readonly Item[]; readonly changes: readonly string[]} {
	const {items, changes} = intactItems(read, id);
	const closed = closingResults(items, repairTexts.lostResult, clock);
	const closings = closed.length > 0 ? [repairTexts.closed(closed.length)] : [];
	return {items: [...items, ...closed], changes: [...fileChanges(read), ...changes, ...closings]};
}

/** Returns sentences about the damage of the file. */
function fileChanges({decoded}: Lines): string[] {
	const end = decoded.torn ? verifyTexts.torn : verifyTexts.openEnd;
	return [
		...decoded.lines.flatMap(line => ('damage' in line ? [damageSentence(t, line)] : [])),
		...decoded.unchecked.map(line => repairTexts.line(line, verifyTexts.unchecked)),
		...decoded.unseparated.map(line => repairTexts.line(line, verifyTexts.unseparated)),
		...(decoded.closed ? [] : [end]),
	];
}

/**
Returns the items of a sound copy of a session, and sentences about the items that it leaves out: repeated ids, results
without a call, and ends of answers without a request. Late lines are in their place again.
*/
function intactItems(
	{decoded, items}: Pick<Extract<RawLines, {readonly ok: true}>, 'decoded' | 'items'>,
	session: string,
): {readonly items: readonly Item[]; readonly changes: readonly string[]} {
	const placed = inOrder(decoded.lines).map(({line, at}) =>
		'item' in line ? elementAt(items, at) : lossNotice(line, elementAt(items, at), session),
	);
	const unique = withoutRepeats(placed.filter(item => item !== undefined));
	const stray = new Set(strayResults(liveItems(unique)));
	const ends = new Set(strayEnds(unique));
	const repeats = placed.filter(item => item !== undefined).length - unique.length;
	return {
		items: unique.filter(item => !stray.has(item) && !ends.has(item)).map(item => withWholeCharacters(item)),
		changes: [
			...(repeats > 0 ? [repairTexts.repeats(repeats)] : []),
			...(stray.size > 0 ? [repairTexts.strays(stray.size)] : []),
			...(ends.size > 0 ? [repairTexts.strayEnds(ends.size)] : []),
			...(unique.some(item => hasHalves(item)) ? [repairTexts.halves] : []),
		],
	};
}

type Placed = {readonly line: Line; readonly at: number};

/** Moves each late line before the line that it belongs before, which then no longer counts as misplaced. */
function inOrder(lines: readonly Line[]): readonly Placed[] {
	const late = new Map(lines.flatMap(line => ('damage' in line && line.before ? [[line.line, line.before]] : [])));
	if (late.size === 0) return lines.map((line, at) => ({line, at}));
	const resolved = new Set(late.values());
	return lines
		.map((line, at) => ({line, at}))
		.filter(({line}) => !('damage' in line && (late.has(line.line) || resolved.has(line.line))))
		.toSorted((one, other) => placeOf(one, late) - placeOf(other, late));
}

function placeOf({line}: Placed, late: ReadonlyMap<number, number>): number {
	const before = late.get(line.line);
	return before === undefined ? line.line : before - 0.5;
}

/** Returns a notice where something is missing in the copy. There is no notice for damage that loses nothing. */
function lossNotice(line: Extract<Line, {readonly damage: string}>, shown: Item, session: string): Item | undefined {
	const text = line.damage === 'misplaced' ? repairTexts.maybeMissing : repairTexts.missing;
	const isLoss = ['unreadable', 'changed', 'misshapen', 'misplaced'].includes(line.damage);
	return isLoss && shown.type === 'message' ? {...shown, text: text(line.line, session)} : undefined;
}

function withoutRepeats(items: readonly Item[]): readonly Item[] {
	const seen = new Set<string>();
	return items.filter(({id}) => {
		const isNew = !seen.has(id);
		seen.add(id);
		return isNew;
	});
}
