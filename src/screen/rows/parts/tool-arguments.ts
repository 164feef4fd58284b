import type {ToolCall} from '../../../pod/protocol.ts';
import {storedRows, type Row} from '../../spans/row.ts';
import {argumentInTitle, parseArguments} from '../../../transcript/tool-title.ts';
import {cutMiddle, noteRows} from './long-text.ts';
import {bodyLayout, showsAll, type RenderContext} from './render.ts';
import {hiddenCharacters} from '../../../transcript/texts.ts';

/**
Returns all arguments of a call, at least one row each. An opened block leaves out the argument that its title shows, if
the title shows all of it on a screen of any width.
*/
export function argumentRows({name: tool, arguments: text}: ToolCall, context: RenderContext): Row[] {
	const layout = bodyLayout(context, {text: '  ┊ ', style: 'dim'});
	const args = parseArguments(text);
	if (args === undefined) {
		const {head, hidden, tail} = cutMiddle(text);
		if (hidden === 0) return text === '' ? [] : storedRows(text, layout, 'dim');
		return [
			...storedRows(head, layout, 'dim'),
			...noteRows(hiddenCharacters(hidden), layout),
			...storedRows(tail, layout, 'dim'),
		];
	}
	const inTitle = showsAll(context) ? undefined : argumentInTitle(tool, args);
	return Object.entries(args).flatMap(([name, value]) => {
		if (name === inTitle) return [];
		const [first = '', ...rest] = (typeof value === 'string' ? value : JSON.stringify(value)).split('\n');
		return [
			...storedRows(`${name}: ${first}`, layout, 'dim'),
			...rest.flatMap(line => storedRows(line, layout, 'dim')),
		];
	});
}
