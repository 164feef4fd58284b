import {flatten} from '../../../pod/protocol.ts';
import {withNewlines} from '../chip.ts';
import {draftOf} from '../draft.ts';
import {toSegments} from '../segments.ts';
import type {Register} from './registers.ts';

/** Returns the text of a register as other programs get it. A line break ends whole lines. */
export function toClipboard({piece, kind}: Register): string {
	return flatten(toSegments(piece)) + (kind === 'lines' ? '\n' : '');
}

/** Returns a text of the clipboard as a register. */
export function fromClipboard(text: string): Register {
	const content = withNewlines(text);
	const isLines = content.endsWith('\n') && content.length > 1;
	return {piece: draftOf(isLines ? content.slice(0, -1) : content), kind: isLines ? 'lines' : 'characters'};
}
