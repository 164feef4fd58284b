import {quoted, type Segment} from '../../../pod/protocol.ts';
import type {PutAction} from '../../editor/undo.ts';
import {rangeAtStart} from '../../editor/chip-range.ts';
import {commandOf, type Entry} from '../../model/completion/completion-state.ts';
import type {Token} from '../../model/completion/token.ts';

/** Returns the edit that replaces a token with an entry. The chip keeps a line range at the end of the token. */
export function putEntry(token: Token, entry: Entry, space: boolean): PutAction {
	if (entry.type === 'command')
		return put(
			token,
			[{type: 'text', text: `/${entry.name}`}],
			space && commandOf(entry.name).argument !== undefined,
		);
	if (entry.type === 'workflow') return put(token, [{type: 'workflow', slug: entry.slug}], space);
	const range = rangeAtStart(token.suffix)?.range;
	if (range !== undefined) return put(token, [{type: 'file_ref', path: entry.path, range}], space);
	return put(
		token,
		[
			{type: 'file_ref', path: entry.path},
			{type: 'text', text: token.suffix},
		],
		space && token.suffix === '',
	);
}

/**
Returns the edit that completes a directory, so that the popup lists its contents. Returns `undefined` for a name that
cannot be typed on one line.
*/
export function putDirectory(token: Token, path: string): PutAction | undefined {
	if (/[\r\n]/.test(path) || path === token.text) return undefined;
	const written = quoted(path);
	const open = written === path ? path : written.slice(0, -1);
	return {...put(token, [{type: 'text', text: token.mark + open}], false), to: token.end - token.suffix.length};
}

function put(token: Token, segments: readonly Segment[], space: boolean): PutAction {
	return {
		type: 'put',
		from: token.start.column,
		to: token.end,
		segments: segments.filter(segment => segment.type !== 'text' || segment.text !== ''),
		space,
	};
}
