import {colouredRow, type Row} from '../../spans/row.ts';
import {bodyLayout, moreRows, type RenderContext} from '../parts/render.ts';
import {failureLines} from './failure-lines.ts';

/**
Returns the rows of the lines that say what failed, in the output's own colours, and of the notes that count the other
lines. Returns `undefined` if no line of the output says what failed.
*/
export function failureRows(output: string, command: string, context: RenderContext): readonly Row[] | undefined {
	const parts = failureLines(output, command);
	if (parts === undefined) return undefined;
	const layout = bodyLayout(context);
	return parts.flatMap((part, index) => {
		const {hides} = part;
		const rows =
			'line' in part
				? [colouredRow(part.line, layout)]
				: moreRows(part.count, index === 0 ? 'earlier' : 'more', context);
		return rows.map(row => ({...row, hides}));
	});
}
