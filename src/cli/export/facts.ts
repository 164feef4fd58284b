import type {FoundSecrets, StoredSession} from '../../pod/index.ts';
import type {Cost} from '../../pod/protocol.ts';
import {formatCost} from '../../text/formats.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {openEndWords} from '../texts.ts';
import {exportTexts, head, leftOut} from './texts.ts';

/** The facts about the session on an exported page, as names and inert values. */
export type ExportFacts = {readonly rows: ReadonlyArray<readonly [name: string, value: string]>};

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
	return {
		rows: [
			[exportTexts.session, id],
			[exportTexts.directory, sanitizeLine(cwd)],
			[exportTexts.created, sanitizeLine(created)],
			[exportTexts.items, String(items.length)],
			...(open.isUnfinished ? [[exportTexts.state, openEndWords(open)] as const] : []),
			...(cost.known > 0 ? [[exportTexts.cost, formatCost(cost)] as const] : []),
			[exportTexts.head, head(decoded.sum, line)],
			[exportTexts.redactions, found === undefined ? exportTexts.exactNote : leftOut(found)],
		],
	};
}
