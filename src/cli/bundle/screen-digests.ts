import {language} from '../../language/index.ts';
import {createHash} from 'node:crypto';
import type {ScreenDigest, StoredSession} from '../../pod/index.ts';
import {plainText} from '../../screen/spans/row.ts';
import {createTranscriptStore} from '../../screen/rows/store.ts';

/** The language of the texts on the screen. */
export const screenLanguage = language;

/**
Returns a digest for each turn of a session: the hash of the rows that its blocks have right after its end, in the
normal view at 80 columns. `file`: the name of the session's history in the bundle.
*/
export function screenDigests({id, items}: Pick<StoredSession, 'id' | 'items'>, file: string): readonly ScreenDigest[] {
	const store = createTranscriptStore({columns: 80, view: 'normal'});
	const session = {id, model: '', scope: {pwd: '/', writable: false, readRoots: []}};
	const status = {kind: 'idle', asks: [], queue: []} as const;
	store.dispatch({type: 'snapshot', session, items: [], tail: [], status});
	const digests: ScreenDigest[] = [];
	let shown = 0;
	for (const item of items) {
		store.dispatch({type: 'item', item});
		if (item.type !== 'run_end') continue;
		const sum = createHash('sha256');
		let rows = 0;
		// A rewind may have removed blocks.
		for (let index = Math.min(shown, store.count()); index < store.count(); index++)
			for (const row of store.rows(index)) {
				sum.update(`${plainText(row).trimEnd()}\n`);
				rows += 1;
			}
		shown = store.count();
		digests.push({file, item: item.id, rows, sha256: sum.digest('hex')});
	}
	store.dispose();
	return digests;
}
