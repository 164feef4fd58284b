import type {ToolCall} from '../../../pod/protocol.ts';
import {storedRows, type Row, type Span} from '../../screen/row.ts';
import {sanitizeLine} from '../../screen/sanitize.ts';
import type {Style} from '../../theme.ts';
import type {BlockOf} from '../block.ts';
import {diffCounts, diffRows} from './diff.ts';
import {formatBytes, formatDuration} from './format.ts';
import {bodyLayout, noOutput, preview, type RenderContext, type Renderer} from './render.ts';

/** A call and its result: name, the argument that matters, where it stands, the beginning of its output. */
export const toolRenderer: Renderer<'tool'> = {
	apart: true,
	head(block, context) {
		const state = states[stateOf(block, context)];
		const argument = block.call === undefined ? '' : mainArgument(block.call);
		return {
			gutter: {text: `${state.glyph} `, style: state.style},
			spans: [
				{text: block.call === undefined ? 'result without a call' : sanitizeLine(block.call.name), style: 'bold'},
				...(argument === '' ? [] : [{text: ` ${sanitizeLine(argument)}`, style: 'path'} satisfies Span]),
				...aside(block, context),
			],
		};
	},
	body(block, context) {
		const {call, result} = block;
		const live = block.open && result !== undefined;
		const args = context.view === 'detail' && call !== undefined ? argumentRows(call, context) : [];
		if (result === undefined) return args;
		if (result.content === result.summary) return args;
		const rows = isEdit(block) && !live ? diffRows(result.content, context) : undefined;
		const style = result.isError ? () => 'error' as const : undefined;
		return [...args, ...(rows ?? preview(result.content, context, {...(style && {style}), ...(live ? {from: 'end', empty: ''} : {empty: noOutput})}))];
	},
};

/** Whether the result of the call may be a diff: that is the tool's to say, not the text's. */
function isEdit({call, result}: BlockOf<'tool'>): boolean {
	return (call?.name === 'edit_file' || call?.name === 'write_file') && result?.isError === false;
}

type State = 'preparing' | 'asking' | 'running' | 'waiting' | 'interrupted' | 'failed' | 'done';

const states: {readonly [Name in State]: {readonly glyph: string; readonly style: Style; readonly words: string}} = {
	preparing: {glyph: '○', style: 'dim', words: 'preparing'},
	asking: {glyph: '?', style: 'warn', words: 'asks for approval'},
	running: {glyph: '◔', style: 'info', words: 'running'},
	waiting: {glyph: '○', style: 'warn', words: 'not run'},
	interrupted: {glyph: '■', style: 'warn', words: ''},
	failed: {glyph: '✗', style: 'error', words: ''},
	done: {glyph: '●', style: 'ok', words: ''},
};

function stateOf({call, result, open}: BlockOf<'tool'>, context: RenderContext): State {
	if (result === undefined) return open && call !== undefined ? 'preparing' : context.phase;
	if (open) return 'running';
	if (result.isError) return 'failed';
	return interrupted.test(result.summary) ? 'interrupted' : 'done';
}

/** The summary that closes a call which was never answered; it is the pod's own, and only changes a glyph here. */
const interrupted = /^\[Interrupted(?: by user|: .*)\]$/;

function aside(block: BlockOf<'tool'>, context: RenderContext): Span[] {
	const {call, result, open} = block;
	const {words} = states[stateOf(block, context)];
	const size = open && result === undefined && call !== undefined && call.arguments.length > 1024 ? ` ${formatBytes(call.arguments.length)}` : '';
	const summary = result === undefined || open ? words + size : sanitizeLine(result.summary);
	const time = result !== undefined && !open && result.ms >= 1000 ? formatDuration(result.ms) : '';
	const counts = isEdit(block) && !open ? diffCounts(result!.content) : undefined;
	return [summary, counts === undefined ? '' : `+${counts.added} −${counts.removed}`, time].filter(text => text !== '').map(text => ({text: ` · ${text}`, style: result?.isError === true ? 'error' : 'dim'}));
}

/** Which argument says what a tool does. Of others the first text. */
const mainArguments: {readonly [tool: string]: readonly string[] | undefined} = {
	read_file: ['path'],
	write_file: ['path'],
	edit_file: ['path'],
	glob: ['pattern', 'path'],
	grep: ['pattern', 'path'],
	bash: ['command'],
	workflow: ['slug', 'arguments'],
};

function mainArgument(call: ToolCall): string {
	const args = parse(call.arguments);
	if (args === undefined) return partialArgument(call);
	const names = mainArguments[call.name] ?? Object.keys(args).filter(name => typeof args[name] === 'string').slice(0, 1);
	return names.map(name => args[name]).filter(value => typeof value === 'string').join(' ');
}

/** Arguments that are whole and an object. Long ones are not parsed for a title. */
function parse(text: string): Record<string, unknown> | undefined {
	if (text.length > 200_000 || !text.trimEnd().endsWith('}')) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
	} catch {
		return undefined;
	}
}

/** The same from JSON that still streams or does not parse: the text of the first argument that matters, as far as it came. */
function partialArgument({name, arguments: text}: ToolCall): string {
	const wanted = mainArguments[name]?.[0] ?? String.raw`[^"\\]+`;
	const found = new RegExp(`"${wanted}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`).exec(text.slice(0, 2048))?.[1];
	if (found === undefined) return '';
	return found.replaceAll(/\\(u[\da-fA-F]{4}|.)/g, (whole, escape: string) => escapes[escape] ?? (escape.length === 5 ? String.fromCharCode(Number.parseInt(escape.slice(1), 16)) : whole.slice(1)));
}

const escapes: {readonly [letter: string]: string | undefined} = {n: '\n', t: '\t', r: '\r', b: '\b', f: '\f'};

function argumentRows({arguments: text}: ToolCall, context: RenderContext): Row[] {
	const layout = bodyLayout(context, {text: '  ┊ ', style: 'dim'});
	const args = parse(text);
	if (args === undefined) return text === '' ? [] : storedRows(text, layout, 'dim');
	return Object.entries(args).flatMap(([name, value]) => {
		const [first = '', ...rest] = (typeof value === 'string' ? value : JSON.stringify(value)).split('\n');
		return [...storedRows(`${name}: ${first}`, layout, 'dim'), ...rest.flatMap(line => storedRows(line, layout, 'dim'))];
	});
}
