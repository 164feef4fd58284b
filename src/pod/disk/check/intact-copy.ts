import {t} from '../../../language/index.ts';
import type {Clock, Item} from '../../../worker/index.ts';
import {closingResults} from '../../ground/history/reader.ts';
import {damageSentence} from '../log/notices.ts';
import type {RawLines} from '../log/raw-lines.ts';
import {intactItems} from './intact-items.ts';
import {repairTexts, verifyTexts} from '../texts.ts';

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
