import type {FoundSecrets, StoredSession} from '../../pod/index.ts';
import {sanitizeLine} from '../../tui/text/sanitize.ts';
import {openEndWords} from '../texts.ts';
import {exportTexts, head, leftOut} from './texts.ts';

/** What an exported page says about its session, as names and inert values. */
export type ExportFacts = {readonly rows: ReadonlyArray<readonly [name: string, value: string]>};

/** `found`: what was left out, or `undefined` in an exact export. */
export function factsOf(
	{id, cwd, created, items, open, decoded}: StoredSession,
	found: FoundSecrets | undefined,
): ExportFacts {
	const line = decoded.lines.at(-1)?.line ?? 1;
	return {
		rows: [
			[exportTexts.session, id],
			[exportTexts.directory, sanitizeLine(cwd)],
			[exportTexts.created, sanitizeLine(created)],
			[exportTexts.items, String(items.length)],
			...(open.isUnfinished ? [[exportTexts.state, openEndWords(open)] as const] : []),
			[exportTexts.head, head(decoded.sum, line)],
			[exportTexts.redactions, found === undefined ? exportTexts.exactNote : leftOut(found)],
		],
	};
}
