import type {FileRef} from '../../../pod/protocol.ts';
import {chipLabel} from '../../editor/chip.ts';
import {cellMask, cut, steps, width} from '../../../text/width.ts';

/** Returns the name of a ref for a sentence, inert and short. */
export function shortName(ref: FileRef): string {
	return labelWithin(chipLabel(ref), 48);
}

/** Returns the end of a name, which is more useful than its beginning. The `@` stays. */
export function labelWithin(label: string, columns: number): string {
	let cells = width(label);
	if (cells <= columns) return label;
	if (columns < 3) return cut(label, columns);
	const text = label.slice(1);
	cells -= 1;
	for (const step of steps(text)) {
		cells -= step.traits & cellMask;
		if (cells <= columns - 2) return `@…${text.slice(step.end)}`;
	}
	return '@…';
}
