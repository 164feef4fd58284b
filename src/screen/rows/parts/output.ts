import type {Row} from '../../spans/row.ts';
import {preview, showsAll, type PreviewOptions, type RenderContext} from './render.ts';

/** How a command stands: it decides how many of its last lines are shown. */
type CommandState = 'running' | 'done' | 'failed' | 'own';

/** The number of lines that the normal view shows. `own`: a command that the user ran. */
const shownLines: {readonly [State in CommandState]: number} = {running: 4, done: 4, failed: 10, own: 30};

/**
Returns the rows of a command's output. The normal view shows its end, without blank lines around it. The output keeps
its own colours.
*/
export function outputRows(
	output: string,
	context: RenderContext,
	state: CommandState,
	options: Pick<PreviewOptions, 'note' | 'empty'> = {},
): Row[] {
	const body = showsAll(context) ? output : withoutBlankEnds(output);
	return preview(body, context, {...options, from: 'end', lines: shownLines[state], hasColours: true});
}

/** Removes the blank lines at the beginning and at the end. One of them stays if there is nothing else. */
export function withoutBlankEnds(text: string): string {
	const start = text.search(/\S/u);
	if (start === -1) return text === '' ? '' : '\n';
	return text.slice(text.lastIndexOf('\n', start) + 1).trimEnd();
}
