import {turnFacts, type FoundSecrets, type StoredSession} from '../../pod/index.ts';
import {nameOfItems, type Cost, type Item} from '../../pod/protocol.ts';
import {formatCost, plural} from '../../text/formats.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {cut} from '../../text/width.ts';
import {openEndWords} from '../texts.ts';
import {exportTexts, head, leftOut} from './texts.ts';

/**
The facts about the session on an exported page. All texts are inert. `title`: the name of the session. `about`: one
line about it. `rows`: the record, as names and values.
*/
export type ExportFacts = {
	readonly title: string;
	readonly about: string;
	readonly rows: ReadonlyArray<readonly [name: string, value: string]>;
};

/**
`found`: the left-out secrets, or `undefined` in an exact export. `cost`: the cost of the session with its children,
compactions and side questions.
*/
export function factsOf(
	{id, cwd, created, items, open, decoded}: StoredSession,
	found: FoundSecrets | undefined,
	cost: Cost,
): ExportFacts {
	const line = decoded.lines.at(-1)?.line ?? 1;
	const {turns, model} = turnFacts(items);
	const state = open.isUnfinished ? [openEndWords(open)] : [];
	const costs = cost.known > 0 ? [formatCost(cost)] : [];
	const about = [sanitizeLine(cwd), sanitizeLine(created).slice(0, 10), sanitizeLine(model)];
	return {
		title: titleOf(items) ?? id,
		about: [...about, ...(turns > 0 ? [plural(turns, 'turn')] : []), ...costs, ...state]
			.filter(text => text !== '')
			.join(' · '),
		rows: [
			[exportTexts.session, id],
			[exportTexts.directory, sanitizeLine(cwd)],
			[exportTexts.created, sanitizeLine(created)],
			[exportTexts.items, String(items.length)],
			...state.map(text => [exportTexts.state, text] as const),
			...costs.map(text => [exportTexts.cost, text] as const),
			[exportTexts.head, head(decoded.sum, line)],
			[exportTexts.redactions, found === undefined ? exportTexts.exactNote : leftOut(found)],
		],
	};
}

/** Returns the name that you gave the session, or else your first words. */
function titleOf(items: readonly Item[]): string | undefined {
	const named = items.findLast(({type}) => type === 'title');
	const words = [named?.type === 'title' ? named.title : '', nameOfItems(items) ?? ''];
	return words.map(text => cut(sanitizeLine(text), maxTitle, '…')).find(text => text !== '');
}

/** The maximum width of a title in cells. */
const maxTitle = 120;
