import {isPlain} from '../text/width.ts';
import {wrap} from '../text/wrap.ts';
import type {WriteFrame} from './spoken-frame.ts';

/**
Writes the frames of the spoken screen to a terminal that has no control sequences. Nothing that was written can change,
so each line that has changed is written once more, and what you type follows the last one.
*/
export function plainFrames(columns: () => number): WriteFrame {
	let shown: readonly string[] = [];
	return {
		next(said, lines) {
			const last = lines.at(-1) ?? '';
			const changed = lines.slice(0, -1).filter(line => line.trim() !== '' && !shown.includes(line));
			const isOnlyTyped = said === '' && changed.length === 0 && shown.length > 0;
			const before = shown.at(-1) ?? '';
			const start = before === '' ? '' : '\r\n';
			shown = lines;
			if (isOnlyTyped) return typed(before, last);
			const texts = said === '' ? [] : wrap(said.replace(/\n$/, ''), columns());
			return `${start}${[...texts, ...changed, last].join('\r\n')}`;
		},
		forget() {},
		leave() {
			const isAtStart = (shown.at(-1) ?? '') === '';
			shown = [];
			return isAtStart ? '' : '\r\n';
		},
	};
}

/** Returns what changes the last line: letters, backspaces, or the line once more. */
function typed(before: string, line: string): string {
	if (line === before) return '';
	if (line.startsWith(before)) return line.slice(before.length);
	const isErased = before.startsWith(line) && isPlain(before);
	return isErased ? '\b \b'.repeat(before.length - line.length) : `${before === '' ? '' : '\r\n'}${line}`;
}
