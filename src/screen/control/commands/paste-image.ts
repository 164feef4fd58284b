import type {FileRef} from '../../../pod/protocol.ts';
import {atomBefore} from '../../editor/draft.ts';
import {toSegments} from '../../editor/segments.ts';
import {update, type App} from '../app.ts';
import {cannotPaste} from '../../model/commands/texts.ts';

/** Inserts the image from the clipboard as a chip. Resolves with a sentence if this fails. */
export async function pasteImage(app: App): Promise<string | undefined> {
	const {clipboardImage} = app.options;
	if (clipboardImage === undefined) return cannotPaste;
	const read = await clipboardImage();
	if (!read.ok) return read.sentence;
	const client = await app.client.promise;
	const kept = await client.keepImage(read.data);
	if (!kept.ok) return kept.sentence;
	const {cursor, draft} = app.state.composer.editor;
	const before = atomBefore(draft, cursor);
	const isSpaced = before === undefined || (typeof before === 'string' && /\s/.test(before));
	if (!isSpaced) update(app, {type: 'insert', text: ' '});
	const {column} = app.state.composer.editor.cursor;
	const name = `pasted-${nextNumber(app)}.${kept.extension}`;
	const chip: FileRef = {type: 'file_ref', path: name, pasted: kept.sha256};
	update(app, {type: 'put', from: column, to: column, segments: [chip], space: true});
	return undefined;
}

/** Returns the number for the next pasted image. The numbers restart in each message. */
function nextNumber(app: App): number {
	const numbers = toSegments(app.state.composer.editor.draft).map(segment =>
		segment.type === 'file_ref' && segment.pasted !== undefined
			? Number(/^pasted-(\d{1,6})\./.exec(segment.path)?.[1] ?? 0)
			: 0,
	);
	return Math.max(0, ...numbers) + 1;
}
